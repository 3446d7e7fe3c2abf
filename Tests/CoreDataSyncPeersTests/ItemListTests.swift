import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncPeers

@Suite("Lists of items")
struct ItemListTests {
    private static func put(_ held: inout HeldItems, _ name: String) throws -> PeerMessage? {
        try Data("x".utf8).write(to: held.url(name))
        let change = ItemList.Change.added(name, size: 1)
        return try held.change(change).map { .changes($0.owner, since: $0.since, [change]) }
    }

    /// Gives a folder what another has, as messages do.
    private static func give(_ from: HeldItems, to other: inout HeldItems) throws {
        for list in from.newer(than: other.states) { _ = try other.take(list) }
    }

    @Test("a list is the same after it was read again, also when a crash has cut its last line")
    func listsSurviveCrashes() throws {
        let folder = try TemporaryFolder()
        var held = try HeldItems(folder.url)
        for number in 0..<20 { _ = try Self.put(&held, "a-t-\(number).ocsync") }
        _ = try held.change(.removed("a-t-3.ocsync"))
        let state = try #require(held.list(of: held.owner)).state
        #expect(state.counter == 21)
        #expect(try HeldItems(folder.url).list(of: held.owner)?.state == state)

        let file = folder.url.appendingPathComponent("lists/\(held.owner)")
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("+ 1 a-t-2".utf8))
        try handle.close()
        // The file of the item whose line was cut goes as well.
        try Data("x".utf8).write(to: held.url("a-t-77.ocsync"))
        var again = try HeldItems(folder.url)
        #expect(again.list(of: again.owner)?.state == state)
        #expect(!FileManager.default.fileExists(atPath: held.url("a-t-77.ocsync").path))
        _ = try Self.put(&again, "a-t-99.ocsync")
        #expect(try HeldItems(folder.url).list(of: again.owner)?.sizes.count == 20)
    }

    @Test("a file of a list that changes for long stays in proportion to its items")
    func filesOfListsStaySmall() throws {
        let folder = try TemporaryFolder()
        var held = try HeldItems(folder.url)
        for number in 0..<3_000 {
            _ = try Self.put(&held, "a-t-\(number).ocsync")
            if number >= 10 { _ = try held.change(.removed("a-t-\(number - 10).ocsync")) }
        }
        let file = folder.url.appendingPathComponent("lists/\(held.owner)")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
        #expect(lines < 1_100)
        let again = try HeldItems(folder.url)
        #expect(again.list(of: held.owner) == held.list(of: held.owner))
        #expect(again.list(of: held.owner)?.sizes.count == 10)
    }

    @Test("an item goes when the last list that has it does, and not before")
    func itemsStayAsLongAsTheyAreListed() throws {
        let folder = try TemporaryFolder()
        var one = try HeldItems(folder.url.appendingPathComponent("one"))
        var two = try HeldItems(folder.url.appendingPathComponent("two"))
        _ = try Self.put(&one, "a-t-1.ocsync")
        _ = try Self.put(&two, "a-t-1.ocsync")
        try Self.give(one, to: &two)
        #expect(two.missing.isEmpty)
        _ = try two.change(.removed("a-t-1.ocsync"))
        #expect(two.has("a-t-1.ocsync"))
        _ = try one.change(.removed("a-t-1.ocsync"))
        try Self.give(one, to: &two)
        #expect(!two.has("a-t-1.ocsync"))
        #expect(!FileManager.default.fileExists(atPath: two.url("a-t-1.ocsync").path))
    }

    @Test("changes are taken in their order, and a gap asks for the list")
    func changesAreTakenInOrder() throws {
        let folder = try TemporaryFolder()
        var one = try HeldItems(folder.url.appendingPathComponent("one"))
        var two = try HeldItems(folder.url.appendingPathComponent("two"))
        var messages: [PeerMessage] = []
        for number in 0..<3 { messages.append(try #require(try Self.put(&one, "a-t-\(number).ocsync"))) }
        func take(_ message: PeerMessage) throws -> Bool? {
            guard case .changes(let owner, let counter, let changes) = message else { return nil }
            return try two.take(owner, since: counter, changes)
        }
        #expect(try take(messages[0]) == nil, "the list is not known yet")
        try Self.give(one, to: &two)
        #expect(try take(messages[2]) == false, "all of it is known")
        let fourth = try #require(try Self.put(&one, "a-t-4.ocsync"))
        let fifth = try #require(try Self.put(&one, "a-t-5.ocsync"))
        #expect(try take(fifth) == nil)
        #expect(try take(fourth) == true)
        #expect(try take(fifth) == true)
        #expect(two.missing.count == 5)
        #expect(two.list(of: one.owner) == one.list(of: one.owner))
    }

    @Test("a folder put back from a backup goes on under a new owner, with what the others have")
    func restoredFoldersGoOn() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("one")
        var one = try HeldItems(place)
        var two = try HeldItems(folder.url.appendingPathComponent("two"))
        _ = try Self.put(&one, "a-t-1.ocsync")
        try FileManager.default.copyItem(at: place, to: folder.url.appendingPathComponent("backup"))
        _ = try Self.put(&one, "a-t-2.ocsync")
        _ = try one.change(.removed("a-t-1.ocsync"))
        try Self.give(one, to: &two)
        let former = one.owner

        try FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: folder.url.appendingPathComponent("backup"), to: place)
        one = try HeldItems(place)
        #expect(one.wanted(of: two.states) == [former])
        for owner in one.wanted(of: two.states) { _ = try one.take(try #require(two.list(of: owner))) }
        #expect(one.owner != former)
        #expect(one.missing == ["a-t-2.ocsync": 1])
        try Self.give(one, to: &two)
        #expect(two.list(of: former) == nil)
        #expect(two.list(of: one.owner)?.sizes.keys.sorted() == ["a-t-1.ocsync", "a-t-2.ocsync"])
        #expect(one.wanted(of: two.states) == [])
        #expect(two.wanted(of: one.states) == [])
    }

    @Test("two copies of one folder become two owners, and none loses an item")
    func copiedFoldersPart() throws {
        let folder = try TemporaryFolder()
        let places = (0..<3).map { folder.url.appendingPathComponent("\($0)") }
        var first = try HeldItems(places[0])
        _ = try Self.put(&first, "a-t-1.ocsync")
        try FileManager.default.copyItem(at: places[0], to: places[1])
        var copies = [first, try HeldItems(places[1]), try HeldItems(places[2])]
        _ = try Self.put(&copies[0], "a-t-2.ocsync")
        _ = try Self.put(&copies[1], "a-t-3.ocsync")
        for _ in 0..<4 {
            for (from, to) in [(0, 2), (2, 1), (1, 2), (2, 0), (0, 1), (1, 0)] {
                let wanted = Set(copies[to].wanted(of: copies[from].states))
                for owner in wanted { _ = try copies[to].take(try #require(copies[from].list(of: owner))) }
                try Self.give(copies[from], to: &copies[to])
            }
        }
        #expect(copies[0].owner != copies[1].owner)
        for (number, copy) in copies.enumerated() {
            let names = Set(copy.states.compactMap { copy.list(of: $0.owner) }.flatMap(\.sizes.keys))
            #expect(names == ["a-t-1.ocsync", "a-t-2.ocsync", "a-t-3.ocsync"])
            // The third has written nothing, of which the others know nothing.
            #expect(copy.states.count == (number == 2 ? 3 : 2))
        }
    }
}
