import CoreData
import TestBrowsers
import Testing

@Suite(
    "What is typed into a form that is left", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(3)))
struct AppDraftTests {
    private let identity = "secretIdentity"

    /// The form of Alpha, with another identity typed.
    private func typed() async throws -> AppPages {
        let app = try await AppPages()
        try await app.goToList()
        try await app.open("Alpha", editing: true)
        try await app.type("Typed", into: identity)
        return app
    }

    /// How many messages speak of what is not saved.
    private func drafts(_ app: AppPages) async throws -> Int? {
        try await app.page.evaluate(
            "return [...document.querySelectorAll('.toast')].filter(t => /save/.test(t.innerText)).length"
        ).number.map { Int($0) }
    }

    @Test("what was typed is there after a new member was added from the form, and is saved with it (APP-22, APP-25)")
    func newMember() async throws {
        let app = try await typed()
        try await app.press("+ Add New Power…")
        try await app.page.wait(until: "document.querySelector('h1')?.innerText.includes('Power')")
        try await app.type("Flight", into: "name")
        try await app.press("Save")
        try await app.page.wait(until: "document.querySelector('h1')?.innerText === 'Alpha'")
        try await app.page.wait(until: "document.querySelector('\(app.field(identity))')?.value === 'Typed'")
        #expect(try await drafts(app) == 1)
        try await app.press("Save")
        try await app.page.wait(until: "!document.querySelector('.appform input')")
        #expect(try await drafts(app) == 0)
        #expect(try app.value(identity, of: "Hero", "name", "Alpha") == "Typed")
        #expect(try app.value("source", of: "Power", "name", "Flight") != "missing")
        try await app.press("Edit")
        #expect(try await app.shown(identity) == "Typed")
    }

    @Test("what was typed is there after the form was left by a crumb or a reload, and Cancel gives it up (APP-22)")
    func whatWasTypedIsThereAfterFormWasLeftByCrumbOrReload() async throws {
        let app = try await typed()
        try await app.page.evaluate(
            "[...document.querySelectorAll('nav a')].find(a => a.href.includes('/apps/')).click()")
        try await app.page.wait(until: "document.querySelector('.approw a')")
        try await app.page.wait(until: "document.querySelector('.toast')?.innerText.includes('not saved')")
        try await app.open("Alpha")
        try await app.page.wait(until: "document.querySelector('\(app.field(identity))')?.value === 'Typed'")
        try await app.page.evaluate("location.reload()")
        try await app.page.wait(until: "document.querySelector('\(app.field(identity))')?.value === 'Typed'")
        #expect(try app.value(identity, of: "Hero", "name", "Alpha") == "Ann Archer")
        try await app.press("Cancel")
        try await app.goToList()
        try await app.open("Alpha", editing: true)
        #expect(try await app.shown(identity) == "Ann Archer")
    }

    @Test("a field that was saved elsewhere shows both values when its form is opened again (APP-22)")
    func changedElsewhere() async throws {
        let app = try await typed()
        try await app.goToList()
        try app.save { try AppPages.find("Hero", "name", "Alpha", $0).setValue("Other", forKey: "secretIdentity") }
        try await app.open("Alpha")
        try await app.page.wait(until: "document.querySelector('\(app.field(identity))')?.value === 'Typed'")
        try await app.page.wait(
            until: "document.querySelector('.appline[data-key=secretIdentity] .fieldnote')?.innerText.includes('Other')"
        )
    }
}
