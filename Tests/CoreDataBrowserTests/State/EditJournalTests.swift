import CoreDataBrowser
import TestBasics
import Testing

@Suite("Journals of staged edits")
struct EditJournalTests {
    private func state(_ folder: TemporaryFolder) -> StateFolder {
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        return StateFolder(options)
    }

    @Test("Lines outlive the journal that wrote them, by store and tab, and go when they are cleared")
    func linesOutliveJournalThatWroteThem() throws {
        let folder = try TemporaryFolder()
        let state = state(folder)
        let journal = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state)
        #expect(try journal.lines().isEmpty)
        try journal.append("{\"a\":1}")
        try journal.append("{\"b\":\"Zoë\"}")
        let again = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state).lines()
        #expect(again == ["{\"a\":1}", "{\"b\":\"Zoë\"}"])
        let other = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "u", in: state).lines()
        #expect(other.isEmpty)
        let tabs = try EditJournal.tabs(ofStore: "A", in: state)
        #expect(tabs == ["t"])
        try journal.clear()
        try journal.append("c")
        let last = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state).lines()
        #expect(last == ["c"])
    }

    @Test("A line that was cut off is left out, and the next one stands alone")
    func cutOff() throws {
        let folder = try TemporaryFolder()
        let state = state(folder)
        try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state).append("one")
        let file = state.url.appendingPathComponent("A/t.journal")
        try (Data(contentsOf: file) + Data("tw".utf8)).write(to: file)
        let journal = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state)
        #expect(try journal.lines() == ["one"])
        try journal.append("three")
        #expect(try journal.lines() == ["one", "three"])
    }

    @Test("A journal has a bound, and a line that does not fit leaves it as it was")
    func journalHasBoundAndLineThatDoesNotFitLeaves() throws {
        let folder = try TemporaryFolder()
        let journal = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "t", in: state(folder), limit: 8)
        try journal.append("1234")
        let failure = #expect(throws: BrowserFailure.self) { try journal.append("567") }
        #expect(failure?.status == 413)
        try journal.append("56")
        #expect(try journal.lines() == ["1234", "56"])
        #expect(throws: BrowserFailure.self) { try journal.append("a\nb") }
    }

    @Test("names of stores and tabs are not used as paths, and only the owner may read the files (HAZ-62)")
    func namesOfStoresAndTabsAreNotUsedAsPaths() throws {
        let folder = try TemporaryFolder()
        let state = state(folder)
        let journal = try EditJournal(of: StoreFileIdentity(identifier: "../x"), tab: "../../é y", in: state)
        try journal.append("a")
        let files = try FileManager.default.subpathsOfDirectory(atPath: state.url.path).sorted()
        #expect(files == ["%2e%2e%2fx", "%2e%2e%2fx/%2e%2e%2f%2e%2e%2f%c3%a9%20y.journal"])
        let tabs = try EditJournal.tabs(ofStore: "../x", in: state)
        #expect(tabs == ["../../é y"])
        let modes = try files.map { file in
            let path = state.url.appendingPathComponent(file).path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])
        #expect(throws: BrowserFailure.self) {
            try EditJournal(of: StoreFileIdentity(identifier: String(repeating: "x", count: 300)), tab: "t", in: state)
        }
    }

    @Test("a tab takes over what an ended program left, not what a living one or a user has (BRW-55)")
    func tabTakesOverWhatEndedProgramLeft() throws {
        let folder = try TemporaryFolder()
        let state = state(folder)
        let living = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "living", in: state)
        try living.append("1")
        try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "user eva", in: state).append("2")
        try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "left", in: state).append("3")
        let journal = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "new", in: state)
        let found = try journal.adoptAbandoned()
        let lines = try journal.lines()
        #expect(found && lines == ["3"])
        try journal.append("4")
        let next = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "next", in: state)
        let more = try next.adoptAbandoned()
        #expect(!more)
        let all = try EditJournal.tabs(ofStore: "A", in: state).sorted()
        #expect(all == ["living", "new", "user eva"])
        let kept = try EditJournal(of: StoreFileIdentity(identifier: "A"), tab: "new", in: state).lines()
        #expect(kept == ["3", "4"])
        withExtendedLifetime((living, journal)) {}
    }
}
