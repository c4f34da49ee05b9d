"""The rules of contrast on statements of other trades and languages than they were made on."""

from __future__ import annotations

import pytest

from onrecord.policy.contrast import compare, opposed

SAME = (
    (
        "The incubator alarm goes to the night nurse\u2019s pager.",
        "the incubator alarm goes to the night nurse's pager",
    ),
    ("Sample labels: name, birth date, ward.", "Sample labels: ward, name, birth date."),
    ("Budget approvals take five working days.", "Budget approvals take 5 working days."),
    ("Os relatórios são gerados às 18:00.", "os relatórios são gerados às 18:00"),
    ("Il server di prova è fermo.", "IL SERVER DI PROVA È FERMO"),
    ("De nachtploeg start om 22 uur.", "De nachtploeg start om 22 uur"),
    ("Сервер отчётов перезапускается ночью.", "сервер отчётов перезапускается ночью"),
    ("보고서는 매일 생성된다.", "보고서는 매일 생성된다"),
    ("You must not share credentials.", "You mustn't share credentials."),
    ("The quota is 10 GB per user.", "The quota is 10GB per user."),
    ("Retention: 2 weeks.", "Retention: 14 days."),
    ("Meetings start at 9 am.", "Meetings start at 09:00."),
    ("The budget is 12 000 EUR.", "The budget is 12000 EUR."),
    (
        "The renderer writes its frames to the scratch disk.",
        "Frames are written to the scratch disk by the renderer.",
    ),
    ("We never deploy on Fridays.", "Never deploy on Fridays."),
    (
        "The mixer needs a reboot after every firmware update.",
        "After each firmware update the mixer needs a reboot.",
    ),
    ("Soil sensors report once per hour.", "Soil sensors report every hour."),
    ("Contact Noor for barn access.", "For barn access, contact Noor."),
    (
        "The scheduler retries failed jobs three times.",
        "Failed jobs are retried three times by the scheduler.",
    ),
    ("All handlers must log the request id.", "Every handler has to log the request ID."),
    ("O cache é limpo todas as noites.", "Todas as noites o cache é limpo."),
    ("I test vengono eseguiti ogni notte.", "Ogni notte vengono eseguiti i test."),
    ("De back-up draait elke nacht.", "Elke nacht draait de back-up."),
    ("Do not commit generated files.", "Generated files must not be committed."),
    ("The parser accepts at most 100 lines.", "The parser accepts up to 100 lines."),
    ("Amira owns the irrigation controller.", "The irrigation controller is owned by Amira."),
    ("The API gateway's timeout is 30 seconds.", "The timeout of the API gateway is 30 seconds."),
    ("Tests are run in parallel.", "We run tests in parallel."),
    ("Feeding schedules live in farm.yaml.", "Feeding schedules are kept in farm.yaml."),
    ("Amira has to sign every order.", "Amira must sign each order."),
    ("Always run the linter before pushing.", "Before pushing, always run the linter."),
    ("Reports are generated nightly.", "Reports are generated every night."),
    ("Elke maandag wordt de stal gereinigd.", "De stal wordt elke maandag gereinigd."),
    ("Chaque lundi, l'étable est nettoyée.", "L'étable est nettoyée chaque lundi."),
    ("Videos are rendered on the farm.", "We render videos on the farm."),
)

APART = (
    (
        "Deploys of the mixer are not allowed on Fridays.",
        "Deploys of the feeder are allowed on Fridays.",
    ),
    ("The east camera does not record sound at night.", "The west camera records sound at night."),
    (
        "Deploys of the mixer are not allowed on Mondays.",
        "Deploys of the mixer are allowed on Fridays.",
    ),
    ("The east hall is not heated in room 4.", "The east hall is heated in room 5."),
    ("The renderer listens on port 9000.", "The encoder listens on port 9000."),
    ("Suite one has a projector.", "Suite two has a projector."),
    ("Amira reviews sensor firmware.", "Noor reviews sensor firmware."),
    ("The barn server runs Debian 12.", "The dairy server runs Debian 12."),
    ("Python 3.11 is used in the lab.", "Python 3.12 is used in the barn."),
    ("Set --jobs for local builds.", "Set --job for local builds."),
    ("Noor mentors Amira.", "Amira mentors Noor."),
    ("The export job writes to the archive.", "The archive job writes to the export."),
    ("Ticket 118 is about the mixer.", "Ticket 181 is about the mixer."),
    ("Room B12 has no window.", "Room B13 has no window."),
    ("In staging, debug logs are on.", "In production, debug logs are off."),
    ("The milk service uses Kafka.", "The milk service uses Redis."),
    ("The lab orders tips on Mondays.", "The lab orders gloves on Mondays."),
    ("Step 3 cleans the lens.", "Step 4 cleans the lens."),
    ("Release 2.4 added dark mode.", "Release 2.5 added light mode."),
    ("The pump is fast.", "The pump is loud."),
    ("Version 1.20 is supported.", "Version 1.2 is supported."),
    ("Use -r to recurse.", "Use -R to recurse."),
    ("Il magazzino nord è aperto.", "Il magazzino sud è aperto."),
    ("The cat feeder is on floor one.", "The cat feeder is on camera."),
    ("Ana approves leave requests.", "Ana approves travel requests."),
    ("Use GET for lookups.", "Use POST for writes."),
    ("The mail queue is drained by worker-a.", "The print queue is drained by worker-a."),
    (
        "The renderer is slow.",
        "The renderer is slow on scenes with hair, because it falls back to the CPU.",
    ),
    ("We test on Windows.", "We test on Windows and macOS, with two runners each."),
    (
        "Amira owns the sensors.",
        "Amira owns the sensors and orders spare parts for them in spring.",
    ),
    ("Logs are rotated.", "Logs are rotated daily and kept for two weeks."),
    ("The feeder is noisy.", "The feeder is noisy when the motor is cold."),
    ("Uploads are scanned.", "Uploads are scanned by ClamAV before they reach the bucket."),
    ("Use feature branches.", "Use feature branches named after the ticket, such as farm-118."),
    ("Il report è pronto.", "Il report è pronto ogni lunedì alle nove."),
    (
        "The mixer has 32 channels.",
        "The mixer has 32 channels, of which 8 are reserved for playback.",
    ),
    ("Reports go to finance.", "Reports go to finance by mail on the first of the month."),
    ("Do not restart the server.", "The server does not have to be restarted."),
    ("Do not restart the server.", "The server need not be restarted."),
    ("We copy orders from billing to ledger.", "Orders are copied from ledger to billing."),
    ("Every night Noor calls Amira.", "Amira calls Noor every night."),
    ("Run migrations only in staging.", "Run only migrations in staging."),
    ("Only admins may edit logs.", "Admins may only edit logs."),
    ("Clients that call servers time out.", "Servers that call clients time out."),
    (
        "The barn door opens before the feeder starts.",
        "The feeder starts before the barn door opens.",
    ),
    ("After the backup the mixer reboots.", "After the mixer the backup reboots."),
    (
        "In suite two the projector is above the screen.",
        "In suite two the screen is above the projector.",
    ),
    ("Tests must not depend on fixtures.", "Fixtures must not depend on tests."),
    ("Do not call the API from the worker.", "The worker must not be called from the API."),
    ("Noor is paid by Amira.", "Amira is paid by Noor."),
    ("The lab is cleaned daily.", "The barn is cleaned daily."),
    ("The lab is cleaned every day.", "The lab is cleaned every Monday."),
    ("The API must return JSON.", "The API may return JSON."),
    ("Use yarn for the site and npm for the app.", "Use npm for the site and yarn for the app."),
    ("The editor exports to the viewer.", "The viewer exports to the editor."),
    ("Backups go from Lyon to Porto.", "Backups go from Porto to Lyon."),
    ("No tests may touch the network.", "Tests may touch no network."),
    ("The cutter feeds the folder.", "The folder feeds the cutter."),
    ("Noor trains Amira on the mixer.", "Amira trains Noor on the mixer."),
    ("Set --color=always in CI.", "Set --colour=always in CI."),
    ("Rename storeId to keepId.", "Rename keepId to storeId."),
    ("The form is in PDF.", "The format is in PDF."),
    ("Feeding is logged at 06:00.", "Milking is logged at 06:00."),
    ("The lab freezer holds 40 boxes.", "The barn freezer holds 60 boxes."),
    ("Camera 2 records at night.", "Camera 3 records at night."),
    ("The east gate opens at 7.", "The west gate opens at 8."),
    ("Build 4411 fixed the leak.", "Build 4412 fixed the crash."),
    ("Logs older than 30 days are deleted.", "Logs older than 30 days are archived."),
    ("Alerts go to the night team.", "Alerts go to the day team."),
    ("Noor prefers short meetings.", "Noor prefers long walks."),
    ("The dairy app needs iOS 17.", "The dairy app needs Android 14."),
    ("O leitor da sala 3 está avariado.", "O leitor da sala 4 está avariado."),
    ("Il cancello nord apre alle 7.", "Il cancello sud apre alle 7."),
    (
        "Deploys happen at night.",
        "Deploys happen at night, between one and three, after the backup.",
    ),
    (
        "The lab has a freezer.",
        "The lab has a freezer; it is kept at minus eighty and defrosted in May.",
    ),
    ("Do not restart the mixer.", "Do not restart the mixer while a show is on air."),
    ("The quota is 10 GB.", "The quota is 10 GB, shared by all members of a team."),
    (
        "Sensors report every hour.",
        "Sensors report every hour over LoRa, with a retry after five minutes.",
    ),
    ("Use feature flags.", "Use feature flags; remove each one within two releases."),
    ("Amira maintains the feeder.", "Amira maintains the feeder together with two students."),
    ("The lab freezer is full.", "The freezer section of the store moved."),
    ("The quota is 10 GB.", "The clip is 10 seconds."),
    ("The owner is Noor.", "The colour is teal."),
)

AGAINST = (
    ("Interns can merge to main on their own.", "Interns must not merge to main on their own."),
    (
        "Deploys of the mixer are not allowed on Mondays.",
        "Deploys of the mixer are allowed on Mondays.",
    ),
    ("The renderer uses OpenEXR.", "The renderer now uses TIFF instead of OpenEXR."),
    ("We use Jenkins for builds.", "We switched from Jenkins to Buildkite for builds."),
    ("Noor leads the dairy team.", "Amira has taken over the dairy team from Noor."),
    ("The default branch is main.", "The default branch is trunk."),
    ("Feature flags are enabled in CI.", "Feature flags are disabled in CI."),
    ("Interns may merge to main.", "Interns may not merge to main."),
    ("The gate is open on Sundays.", "The gate is closed on Sundays."),
    ("Caching is allowed on the edge nodes.", "Caching is prohibited on the edge nodes."),
    ("The barn server has a spare disk.", "The barn server does not have a spare disk."),
    ("Use the blue cables for audio.", "Don't use the blue cables for audio."),
    ("The lab has a second freezer.", "I was wrong: the lab has no second freezer."),
    ("The mixer supports Dante.", "The mixer does not support Dante after all."),
    ("The mixer supports Dante.", "It turned out that the mixer has no Dante support."),
    ("All rooms have dimmers.", "All rooms except room 4 have dimmers."),
    ("Sensors report every hour.", "Sensors report every ten minutes."),
    ("The quota is 10 GB.", "The quota is 25 GB."),
    ("Backups are kept for 30 days.", "Backups are kept for 90 days."),
    ("The review takes two days.", "The review takes five days."),
    ("Milk is collected at 06:00.", "Milk is collected at 05:30."),
    ("Use the north gate.", "Use the north gate until the end of May 2032."),
    ("Overtime is paid double.", "Overtime was paid double until April 2032."),
    ("Il limite è di 50 richieste.", "Il limite è di 80 richieste."),
    ("O acesso remoto é permitido.", "O acesso remoto não é permitido."),
    ("De lift is buiten gebruik.", "De lift is niet meer buiten gebruik."),
    ("Le serveur est à Lyon.", "Le serveur n'est plus à Lyon."),
    ("Il backup gira di notte.", "Il backup non gira più di notte."),
    ("Usamos MySQL para los informes.", "Ya no usamos MySQL para los informes, sino PostgreSQL."),
    ("Сервер находится в Москве.", "Сервер больше не находится в Москве."),
    ("서버는 서울에 있다.", "서버는 더 이상 서울에 없다."),
    ("The deadline is 3 June 2032.", "The deadline is 10 June 2032."),
    ("The API key rotates monthly.", "The API key rotates weekly."),
    ("The office is in Porto.", "The office moved to Braga."),
    ("Tests require a license file.", "Tests no longer require a license file."),
    ("Reports are sent every week.", "Reports are sent every month."),
    ("The lab is open to visitors.", "The lab is no longer open to visitors."),
    ("The feeder has two motors.", "The feeder has three motors."),
    ("Use the blue tape on cables.", "Never use the blue tape on cables."),
    ("Die Halle ist beheizt.", "Die Halle ist nicht beheizt."),
    ("La salle est chauffée.", "La salle n'est pas chauffée."),
    ("Hall passes are free.", "Hall passes are free except on holidays."),
    ("Die Frist ist am 3. Mai 2032.", "Die Frist ist am 17. Mai 2032."),
    ("保存期间为三年。", "保存期间为五年。"),
    ("会議室は予約が必要です。", "会議室は予約が不要です。"),
    ("倉庫は使用できる。", "倉庫は使用できない。"),
)


@pytest.mark.parametrize(("standing", "new"), SAME)
def test_another_form_of_the_same(standing: str, new: str) -> None:
    """Voice, order after a phrase in front, bans, spelling, spans of time, numbers."""
    assert compare(standing, new) == "same"


@pytest.mark.parametrize(("standing", "new"), APART)
def test_much_the_same_words_about_something_else(standing: str, new: str) -> None:
    """Another subject, object, direction, name, permission or detail stands beside it."""
    assert compare(standing, new) == ""


@pytest.mark.parametrize(("standing", "new"), AGAINST)
def test_otherwise_about_the_same(standing: str, new: str) -> None:
    """In eight languages; the pair is then never taken for one statement."""
    assert compare(standing, new) == "conflict"
    assert opposed(standing, new)
    assert opposed(new, standing)
