import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

/// Copies of a store have its identifier; what a person staged in one must not reach another.
@Suite("Which file of a store is meant")
struct StoreIdentityTests {
    private let folder: TemporaryFolder
    private let original: URL
    private let copy: URL

    init() throws {
        folder = try TemporaryFolder()
        original = folder.url.appendingPathComponent("Original.sqlite")
        copy = folder.url.appendingPathComponent("Copy.sqlite")
        try Self.make(original)
        try FileManager.default.copyItem(at: original, to: copy)
    }

    private static func make(_ file: URL, _ kind: StoreKind = .sqlite) throws {
        let stack = try Stack(SuperDB.model(), url: file, kind: kind)
        SuperDB.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    /// A tab of a program that is started on files.
    private func tab(_ files: URL..., isWriting: Bool = true) throws -> EditingTab {
        let browser = EditingTab.browser(beside: original)
        for file in files { try browser.open(file, isWriting: isWriting) }
        return EditingTab(browser)
    }

    private let change = #"{"do": "set", "object": "Hero/p1", "key": "name", "value": "Staged"}"#

    @Test("what is staged in a copy does not appear in the original, side by side or after a restart (BRW-20)")
    func whatIsStagedInCopyDoesNotAppearInOriginal() async throws {
        let both = try tab(copy, original)
        try await both.stage(change)
        let other = EditingTab(both.browser, first: 2)
        #expect(try await other.edits()["count"].number == 0)
        let restarted = try tab(original)
        let edits = try await restarted.edits()
        #expect(edits["count"].number == 0 && edits["found"].isNull)
        #expect(try await tab(copy).edits()["count"].number == 1)
    }

    @Test(
        "what was staged before another file came to the path waits for a decision (BRW-20)", arguments: [true, false])
    func whatWasStagedBeforeAnotherFileCameToPathWaitsForDecision(takes: Bool) async throws {
        try await tab(original).stage(change)
        try FileManager.default.removeItem(at: original)
        // The copy keeps its own file, so that the number of the removed one is not given again.
        try FileManager.default.moveItem(at: copy, to: original)
        let tab = try tab(original)
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0 && edits["canUndo"].flag == false)
        #expect(edits["found"]["steps"].number == 1 && edits["found"]["path"].text == original.path)
        try await tab.ask("POST", "edits/found", "{}", status: 422)
        let decided = try await tab.ask("POST", "edits/found", "{\"take\": \(takes)}")
        #expect(decided["count"].number == (takes ? 1 : 0) && decided["found"].isNull)
        try await tab.ask("POST", "edits/found", "{\"take\": true}", status: 404)
        let again = try await self.tab(original).edits()
        #expect(again["count"].number == (takes ? 1 : 0) && again["found"].isNull)
    }

    @Test("steps of another file are not mixed with steps of the tab (BRW-20)")
    func stepsOfAnotherFileAreNotMixedWithStepsOfTab() async throws {
        try await tab(original).stage(change)
        try FileManager.default.removeItem(at: original)
        try FileManager.default.moveItem(at: copy, to: original)
        let tab = try tab(original)
        try await tab.stage(#"{"do": "set", "object": "Hero/p2", "key": "name", "value": "Own"}"#)
        let refused = try await tab.ask("POST", "edits/found", "{\"take\": true}", status: 409)
        #expect(refused["error"]["code"].text == "staged")
        let edits = try await tab.edits()
        #expect(edits["changes"].list.map { $0["object"].text } == ["Hero/p2"] && edits["found"]["steps"].number == 1)
    }

    @Test("a store of one file, which each save replaces, keeps what other tabs staged (BRW-20)")
    func savedByAnotherTab() async throws {
        let file = folder.url.appendingPathComponent("Heroes.xml")
        let stack = try Stack(SuperDB.model(), url: file, kind: .xml)
        SuperDB.fill(stack.context)
        try stack.context.save()
        let heroes = try stack.context.all("Hero").map(\.objectID.shortText)
        let (hero, other) = (try #require(heroes.first), try #require(heroes.dropFirst().first))
        let first = EditingTab(stack)
        let second = EditingTab(first.browser, "tab2")
        try await first.stage(#"{"do": "set", "object": "\#(hero)", "key": "name", "value": "Staged"}"#)
        try await second.stage(#"{"do": "set", "object": "\#(other)", "key": "name", "value": "Saved"}"#)
        try await second.save()
        try await second.stage(#"{"do": "set", "object": "\#(other)", "key": "name", "value": "More"}"#)
        let (one, two) = (EditingTab(stack), EditingTab(stack, "tab2"))
        for tab in [one, two] {
            let edits = try await tab.edits()
            #expect(edits["count"].number == 1 && edits["found"].isNull)
        }
    }

    @Test("a journal of a file that has gone is offered, and one of a file that is there is left to it (BRW-55)")
    func journalOfFileThatHasGoneIsOffered() throws {
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        let state = StateFolder(options)
        let (mine, theirs) = (try identity(original), try identity(copy))
        #expect(mine != theirs && mine.folder != theirs.folder)
        try EditJournal(of: theirs, tab: "left", in: state).append("{\"a\":1}")
        let journal = try EditJournal(of: mine, tab: "new", in: state)
        try journal.settle(adopts: true)
        #expect(try journal.lines().isEmpty && journal.setAside() == nil)
        try FileManager.default.removeItem(at: copy)
        try journal.settle(adopts: true)
        let found = try #require(try journal.setAside())
        #expect(try found.lines == ["{\"a\":1}"] && found.path == theirs.path && journal.lines().isEmpty)
        let user = try EditJournal(of: mine, tab: "user eva", in: state)
        #expect(try user.setAside() == nil)
    }

    private func identity(_ file: URL) throws -> StoreFileIdentity {
        let stack = try Stack(SuperDB.model(), url: file)
        defer { try? stack.coordinator.remove(stack.store) }
        return StoreFileIdentity(stack.store)
    }

    @Test("a store has the same name in addresses in whatever order stores are given, and copies have another (BRW-13)")
    func storeHasSameNameInAddressesInWhateverOrderStoresAreGiven() async throws {
        let one = try tab(original, copy).browser.core.shown.map(\.id)
        let other = try tab(copy, original).browser.core.shown.map(\.id)
        #expect(one == other.reversed() && one[0] != one[1])
        #expect(one[0].hasPrefix("Original-") && one[1].hasPrefix("Copy-"))
        let link = folder.url.appendingPathComponent("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: original)
        let linked = try tab(original, link).browser.core.shown.map(\.id)
        #expect(linked == [one[0]])
    }

    @Test("a link to a store that is not open says so, and nothing is changed by a place (BRW-13)")
    func linkToStoreThatIsNotOpenSays() async throws {
        let name = try tab(original, copy).browser.core.shown[0].id
        let alone = try tab(copy)
        let gone = try await BrowserAnswers(alone.browser).json("/stores/\(name)/entities/Hero", status: 404)["error"]
        #expect(gone["code"].text == "unknownStore" && gone["reason"].text?.contains("is not open") == true)
        for (method, path) in [
            ("POST", "stores/1/edits"), ("PUT", "stores/1/state/columns"), ("POST", "stores/1/writing"),
            ("POST", "models/store-1/edits"),
        ] {
            let answer = await alone.browser.respond(
                to: BrowserRequest(
                    method: method, target: "/" + path, headers: ["X-Tab": "t", "Content-Type": "application/json"],
                    body: BrowserBody(Array("{}".utf8)), user: BrowserUser(name: "eva")))
            #expect(answer.status == 409, "\(method) \(path)")
        }
        #expect(try await BrowserAnswers(alone.browser).json("/stores/1")["store"]["name"].text == "Copy.sqlite")
    }
}
