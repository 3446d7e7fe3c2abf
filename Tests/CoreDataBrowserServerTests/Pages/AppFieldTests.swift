import CoreData
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Fields of applications in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct AppFieldTests {
    @Test("a text starts empty on the model's default, is cleared by its button and stored as an empty text (APP-15)")
    func textStartsEmptyOnModelsDefault() async throws {
        let app = try await AppPages(fill: { context in
            SuperDB.fill(context)
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context).setValue("Zed", forKey: "name")
        })
        try await app.goToList()
        try await app.open("Zed", editing: true)
        // Zed's identity is the model's "Unknown".
        #expect(try await app.shown("secretIdentity") == "")
        #expect(try await app.shown("name") == "Zed")
        try await app.type("Zara", into: "name")
        try await app.press("Save")
        try await app.page.wait(until: "document.querySelector('h1')?.innerText === 'Zara'")
        // What nobody touched stays.
        #expect(try app.value("secretIdentity", of: "Hero", "name", "Zara") == "Unknown")
        try await app.goToList()
        try await app.open("Alpha", editing: true)
        #expect(try await app.shown("secretIdentity") == "Ann Archer")
        try await app.page.click(".appline[data-key=secretIdentity] button")
        #expect(try await app.shown("secretIdentity") == "")
        try await app.press("Save")
        try await app.page.wait(until: "!document.querySelector('.appform input')")
        #expect(try app.value("secretIdentity", of: "Hero", "name", "Alpha") == "")
    }

    @Test("a choice takes listed values and none, and keeps a stored one that is not listed (APP-18)")
    func choiceTakesListedValuesAndNone() async throws {
        let app = try await AppPages(fill: { context in
            SuperDB.fill(context)
            try AppPages.find("Hero", "name", "Bolt", context).setValue("Robot", forKey: "sex")
        })
        let page = app.page
        try await app.goToList()
        try await app.open("Alpha", editing: true)
        let field = app.field("sex")
        let options = try await page.evaluate(
            "return [...document.querySelectorAll('.appline[data-key=sex] option')].map(o => o.value)")
        #expect(options.elements.compactMap(\.text) == ["", "Male", "Female"])
        let marks = "return document.querySelector('.appline[data-key=sex] select').selectedOptions.length"
        #expect(try await page.evaluate(marks) == 1)
        let choose =
            "const f = document.querySelector('\(field)'); f.value = arguments[0]; f.dispatchEvent(new Event('change'))"
        try await page.evaluate(choose, ["Male"])
        try await app.press("Save")
        try await page.wait(until: "!document.querySelector('.appform input')")
        #expect(try app.value("sex", of: "Hero", "name", "Alpha") == "Male")
        try await app.press("Edit")
        try await page.wait(until: "document.querySelector('\(field)')")
        try await page.evaluate(choose, [""])
        try await app.press("Save")
        try await page.wait(until: "!document.querySelector('.appform input')")
        #expect(try app.value("sex", of: "Hero", "name", "Alpha") == nil)
        try await app.goToList()
        try await app.open("Bolt", editing: true)
        #expect(try await app.shown("sex") == "Robot")
        #expect(try await page.evaluate(marks) == 1)
        try await app.type("Bolt II", into: "name")
        try await app.press("Save")
        try await page.wait(until: "document.querySelector('h1')?.innerText === 'Bolt II'")
        #expect(try app.value("sex", of: "Hero", "name", "Bolt II") == "Robot")
    }

    @Test("in a form each field is a step of Ctrl-Z and of the buttons; leaving the form clears the steps (APP-32)")
    func inFormEachFieldIsStepOfCtrlZAndOfButtons() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        try await app.open("Alpha", editing: true)
        try await app.type("Omega" + WebKey.tab, into: "name")
        try await app.type("Olga" + WebKey.tab, into: "secretIdentity")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('\(app.field("secretIdentity"))').value === 'Ann Archer'")
        #expect(try await app.shown("name") == "Omega")
        try await app.press("↶")
        #expect(try await app.shown("name") == "Alpha")
        try await page.press("z", holding: [WebKey.control, WebKey.shift])
        try await page.wait(until: "document.querySelector('\(app.field("name"))').value === 'Omega'")
        try await app.press("Cancel")
        try await app.press("Edit")
        try await page.wait(until: "document.querySelector('\(app.field("name"))')?.value === 'Alpha'")
        #expect(try await page.evaluate("return document.querySelectorAll('.steps button').length") == 0)
        try await page.press("z", holding: [WebKey.control])
        #expect(try await app.shown("name") == "Alpha")
    }

    @Test(
        "a note is read with its links, numbers and dates found; Edit switches, each field saves as it is left (APP-37)"
    )
    func longText() async throws {
        let text = "Call +49 30 1234567 before 2015-05-01, see https://example.org/a?b=c."
        let app = try await AppPages("NoteCollector/App", classes: []) { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue("Trip", forKey: "itemName")
            note.setValue(text, forKey: "textContent")
        }
        let page = app.page
        try await app.goToList()
        try await app.open("Trip")
        let found = try await page.evaluate(
            "return [...document.querySelectorAll('.found a, .found time')].map(e => e.getAttribute('href') ?? e.innerText)"
        )
        #expect(found.elements.compactMap(\.text) == ["tel:+49301234567", "2015-05-01", "https://example.org/a?b=c"])
        #expect(try await page.text(of: ".found") == text)
        #expect(try await page.evaluate("return !document.querySelector('.appform textarea')") == true)
        try await app.press("Edit")
        try await app.type("Journey" + WebKey.tab, into: "itemName")
        try await page.wait(until: "document.querySelector('h1').innerText === 'Journey'")
        #expect(try app.value("textContent", of: "Note", "itemName", "Journey") == text)
        try await app.press("Done")
        try await page.wait(until: "document.querySelector('.found')")
        // A new note opens in editing.
        try await app.goToList()
        try await app.press("+")
        try await app.press("Add Note", in: "dialog[open]")
        try await page.wait(until: "document.querySelector('.appform textarea')")
    }

    @Test("fields follow what others save; what is being typed stays, with the other value beside it (APP-40)")
    func fieldsFollowWhatOthersSave() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        try await app.open("Dusk")
        try app.save { try AppPages.find("Hero", "name", "Dusk", $0).setValue("Dora", forKey: "secretIdentity") }
        try await page.wait(until: "document.querySelector('.appform').innerText.includes('Dora')")
        try await app.press("Edit")
        try await app.type("Dawn", into: "name")
        try app.save { context in
            let hero = try AppPages.find("Hero", "name", "Dusk", context)
            hero.setValue("Night", forKey: "name")
            hero.setValue("Dina", forKey: "secretIdentity")
        }
        try await page.wait(until: "document.querySelector('\(app.field("secretIdentity"))').value === 'Dina'")
        #expect(try await app.shown("name") == "Dawn")
        let note = try await page.text(of: ".appline[data-key=name] .fieldnote") ?? ""
        #expect(note.contains("Night"))
        try await page.click(".fieldnote button")
        #expect(try await app.shown("name") == "Night")
    }

    @Test("a picture is dropped or pasted, shown small while it is edited and in full when it is read (APP-38)")
    func pictureIsDroppedOrPasted() async throws {
        let app = try await AppPages("MyStuff/App", classes: []) { context in
            NSEntityDescription.insertNewObject(forEntityName: "Possession", into: context).setValue(
                "Lamp", forKey: "name")
        }
        let page = app.page
        try await app.goToList()
        try await app.open("Lamp", editing: true)
        try await page.wait(until: "document.querySelector('.picturefield')")
        // A red square of 64 pixels, as another program would give it.
        let give = """
            const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: arguments[1] });
            canvas.getContext('2d').fillRect(0, 0, 64, 64);
            const blob = await new Promise(done => canvas.toBlob(done, 'image/png'));
            const data = new DataTransfer();
            data.items.add(new File([blob], 'lamp.png', { type: 'image/png' }));
            const event = arguments[0] === 'drop' ? new DragEvent('drop', { dataTransfer: data, cancelable: true })
                : new ClipboardEvent('paste', { clipboardData: data, cancelable: true });
            document.querySelector('.picturefield').dispatchEvent(event);
            """
        for (way, height) in [("drop", 64), ("paste", 32)] {
            try await page.evaluate(give, [.string(way), .number(Double(height))])
            try await page.wait(until: "document.querySelector('.thumbnail')?.naturalHeight === \(height)")
        }
        try await app.press("Save")
        try await page.wait(until: "document.querySelector('.appform .picture')?.naturalHeight === 32")
        // What is not touched is not sent again.
        try await app.press("Edit")
        try await app.type("Lamp II", into: "name")
        try await app.press("Save")
        try await page.wait(until: "document.querySelector('h1').innerText === 'Lamp II'")
        try await page.wait(until: "document.querySelector('.appform .picture')?.naturalHeight === 32")
        #expect(try app.value("image", of: "Possession", "name", "Lamp II")?.isEmpty == false)
    }

    @Test("in German a number that has two meanings is asked about when its field is left, and not saved (APP-19)")
    func ambiguousNumber() async throws {
        let app = try await AppPages("MyStuff/App", classes: []) { context in
            NSEntityDescription.insertNewObject(forEntityName: "Possession", into: context).setValue(
                "Lamp", forKey: "name")
        }
        let page = app.page
        try await page.evaluate("localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'de' }))")
        try await app.goToList()
        try await app.open("Lamp")
        try await app.press("Bearbeiten")
        try await app.type("1.234" + WebKey.tab, into: "value")
        try await page.wait(until: "document.querySelector('dialog[open]')?.innerText.includes('1234 oder 1,234')")
        try await app.press("Korrigieren", in: "dialog")
        try await app.press("Sichern")
        try await page.wait(until: "document.querySelector('dialog[open]')?.innerText.includes('1234 oder 1,234')")
        try await app.press("Korrigieren", in: "dialog")
        try await app.type("1234" + WebKey.tab, into: "value")
        try await app.press("Sichern")
        try await page.wait(until: "!document.querySelector('.appform input')")
        #expect(try app.value("value", of: "Possession", "name", "Lamp") == "1234")
    }
}
