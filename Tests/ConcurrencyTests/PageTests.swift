import CoreData
import StoreContract
import Testing

/// Docs/Concurrency.md says what `Documented.swift` says, and that does what the page says.
@Suite(.timeLimit(.minutes(20))) struct PageTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let page = here.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/Concurrency.md")

    @Test("the code on the page is the code that is compiled here, all of it and nothing else (CTX-30)")
    func pageIsCompiled() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let source = try String(contentsOf: Self.here.appendingPathComponent("Documented.swift"), encoding: .utf8)
        let shown = Self.parts(of: page, from: "```swift", to: "```")
        let compiled = Self.parts(of: source, from: "// page: ", to: "// end")
        #expect(shown.count == 6)
        #expect(shown == compiled)
    }

    /// The lines between one that begins with a text and the next that is another.
    private static func parts(of text: String, from begin: String, to end: String) -> [[Substring]] {
        var parts: [[Substring]] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if isInside, line == end {
                isInside = false
            } else if isInside {
                parts[parts.count - 1].append(line)
            } else if line.hasPrefix(begin) {
                isInside = true
                parts.append([])
            }
        }
        return parts
    }

    private static func container() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Page", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        return container
    }

    @Test("a program in the page's way imports, shows, renames and counts (CTX-30, CTX-32)")
    func programInPagesWayImports() async throws {
        let container = Self.container()
        let importer = Importer(container)
        try await importer.run((0..<2_500).map { Row(name: "H\($0)", strength: $0) })
        #expect(await importer.imported == 2_500)
        #expect(try countHeroes(in: container.newBackgroundContext()) == 2_500)
        #expect(try await totalStrength(in: container.newBackgroundContext()) == 2_499 * 1_250)
        #expect(try await longestName(in: container.newBackgroundContext()).count == 5)
        let objectID = try await insertHero(named: "A first", into: container.newBackgroundContext())
        let list = await HeroList(container)
        try await list.reload()
        try await MainActor.run {
            #expect(list.heroes.count == 2_501)
            #expect(list.heroes[0].objectID == objectID)
            try list.rename(list.heroes[0], to: "Renamed")
            list.show([objectID])
            #expect(list.heroes.map { $0.value(forKey: "name") as? String } == ["Renamed"])
        }
        #expect(try await nameOfHero(objectID, in: container.newBackgroundContext()) == "Renamed")
    }

    @Test("identifiers of what was saved reach another task (CTX-30, CTX-33)")
    func identifiersOfWhatWasSavedReachAnotherTask() async throws {
        let context = Self.container().newBackgroundContext()
        let saved = savedIdentifiers(of: context)
        let objectID = try await insertHero(named: "Ann", into: context)
        for await identifiers in saved {
            #expect(identifiers == [objectID])
            break
        }
    }
}
