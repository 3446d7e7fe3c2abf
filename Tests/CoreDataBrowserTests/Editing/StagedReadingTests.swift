import CoreDataBrowser
import StoreContract
import Testing

@Suite("Objects as a tab has staged them")
struct StagedReadingTests {
    @Test("an object's page shows what the tab has staged, and other tabs what is saved (BRW-20)")
    func stagedObjects() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let tab = EditingTab(stack)
        let other = EditingTab(tab.browser, "tab2")
        try await tab.stage(
            #"{"do": "insert", "entity": "Hero", "values": {"name": "Zeta"}}"#,
            #"{"do": "set", "object": "Hero/p1", "key": "name", "value": "Omega"}"#)
        let new = try await tab.ask("GET", "objects/Hero/t1")
        #expect(new["id"].text == "Hero/t1")
        #expect(new["label"].text == "Zeta")
        let changed = try await tab.ask("GET", "objects/Hero/p1")
        #expect(changed["label"].text == "Omega")
        let saved = try await other.ask("GET", "objects/Hero/p1")
        #expect(saved["label"].text != "Omega")
        try await other.ask("GET", "objects/Hero/t1", status: 404)
    }

    @Test("what a tab has staged for deletion is shown as it is saved (BRW-20)")
    func stagedDeletion() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let tab = EditingTab(stack)
        try await tab.stage(#"{"do": "delete", "object": "Hero/p2"}"#)
        let shown = try await tab.ask("GET", "objects/Hero/p2")
        #expect(shown["id"].text == "Hero/p2")
        let lines = try await tab.ask("GET", "objects/Hero/p2/preview")
        #expect(lines["id"].text == "Hero/p2")
    }

    @Test("what a user of the host stages is seen by no other user who names the same tab (BRW-53)")
    func usersApart() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let eva = EditingTab(stack)
        let adam = EditingTab(eva.browser, "tab1", user: "adam")
        try await eva.stage(#"{"do": "set", "object": "Hero/p1", "key": "name", "value": "Omega"}"#)
        let own = try await eva.ask("GET", "objects/Hero/p1")
        let others = try await adam.ask("GET", "objects/Hero/p1")
        #expect(own["label"].text == "Omega")
        #expect(others["label"].text != "Omega")
    }
}
