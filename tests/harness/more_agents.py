"""The real Gemini CLI, Copilot CLI and OpenCode, as ``harness.agents`` has the first two.

A test that asks for one that is not installed is skipped (in CI, where the lock file has it:
fails). Of OpenCode the lock file has the program for Linux on x86-64 alone: its package brings
every program twice, and what the lock file must list for other systems was not to be had.
"""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Final

import pytest

from harness.agent import Agent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.model import ScriptedModel

_KEY: Final = "scripted-model-key"


class GeminiCli(Agent):
    """Gemini CLI."""

    program = "gemini"
    ready = "Type your message"
    native = "@google/gemini-cli/bundle/gemini.js"

    @property
    def settings(self) -> Path:
        """The person's settings file, which holds everything."""
        return self.home / ".gemini" / "settings.json"

    def _environment(self) -> dict[str, str]:
        return {
            "GOOGLE_GEMINI_BASE_URL": self.model.url,
            "GEMINI_API_KEY": _KEY,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    def _prepare(self) -> None:
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        known = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
        }
        if not self.settings.exists():
            self.settings.write_text(json.dumps(known), encoding="utf-8")

    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        which = ["--resume", resume or "latest"] if resume or continue_ else []
        return ["--yolo", "-m", "gemini-2.5-flash", *which, *extra, "-p", prompt]

    def _interactive(self) -> list[str]:
        return ["-m", "gemini-2.5-flash"]


class CopilotCli(Agent):
    """Copilot CLI."""

    program = "copilot"
    ready = "❯"
    native = "@github/copilot-{platform}/package.json"

    @property
    def folder(self) -> Path:
        """The folder of its settings."""
        return self.home / ".copilot"

    def _environment(self) -> dict[str, str]:
        return {
            "COPILOT_PROVIDER_BASE_URL": f"{self.model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": _KEY,
            "COPILOT_MODEL": "scripted-model",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        trusted = self.folder / "config.json"
        if not trusted.exists():
            trusted.write_text(json.dumps({"trustedFolders": [str(self.repo)]}), encoding="utf-8")

    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        which = ["--resume", resume] if resume else ["--continue"] if continue_ else []
        return ["-p", prompt, "--allow-all-tools", *which, *extra]

    def _interactive(self) -> list[str]:
        return []


class OpenCode(Agent):
    """OpenCode."""

    program = "opencode"
    ready = "Ask anything"
    native = "opencode-{platform}/bin/opencode"
    locked = (platform.system(), platform.machine()) == ("Linux", "x86_64")

    @property
    def settings(self) -> Path:
        """The person's settings file."""
        return self.home / ".config" / "opencode" / "opencode.json"

    def _environment(self) -> dict[str, str]:
        # with a plugin it asks npm for a package at each start, and waits for the refusal
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "NPM_CONFIG_OFFLINE": "true",
            "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9",
            "NPM_CONFIG_FETCH_RETRIES": "0",
        }

    def _prepare(self) -> None:
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{self.model.url}/v1", "apiKey": _KEY},
            "models": {"scripted-model": {"name": "scripted"}},
        }
        # it writes the schema's address there itself where it is missing
        known = {
            "$schema": "https://opencode.ai/config.json",
            "autoupdate": False,
            "share": "disabled",
            "model": "scripted/scripted-model",
            "provider": {"scripted": provider},
        }
        if not self.settings.exists():
            self.settings.write_text(json.dumps(known, indent=2), encoding="utf-8")

    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        which = ["--session", resume] if resume else ["--continue"] if continue_ else []
        return ["run", "--format", "json", *which, *extra, prompt]

    def _interactive(self) -> list[str]:
        return []


@pytest.fixture
def gemini_cli(agent_home: Path, agent_repo: Path, scripted_model: ScriptedModel) -> GeminiCli:
    """The real Gemini CLI, in the shared home and repository."""
    return GeminiCli(agent_home, agent_repo, scripted_model)


@pytest.fixture
def copilot_cli(agent_home: Path, agent_repo: Path, scripted_model: ScriptedModel) -> CopilotCli:
    """The real Copilot CLI, in the shared home and repository."""
    return CopilotCli(agent_home, agent_repo, scripted_model)


@pytest.fixture
def opencode(agent_home: Path, agent_repo: Path, scripted_model: ScriptedModel) -> OpenCode:
    """The real OpenCode, in the shared home and repository."""
    return OpenCode(agent_home, agent_repo, scripted_model)
