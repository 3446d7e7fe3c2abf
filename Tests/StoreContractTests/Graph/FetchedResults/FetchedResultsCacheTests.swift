import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph

/// Lists that are kept between runs. One after the other: the folder is one for all.
@Suite(.serialized) struct FetchedResultsCacheTests {
    /// A saved store.
    private func stack() throws -> Stack {
        let stack = try CardModel.stack()
        stack.context.cards("B", "A", "B")
        try stack.context.save()
        return stack
    }

    private func controller(
        _ stack: Stack, _ name: String, sections: String? = "name"
    ) throws -> NSFetchedResultsController<NSManagedObject> {
        let controller = stack.context.controller(CardModel.request("name", "number"), sections: sections, cache: name)
        try controller.performFetch()
        // The first fetch may have written to the file what was committed; a moment later its times tell something.
        Thread.sleep(forTimeInterval: 0.2)
        try controller.performFetch()
        return controller
    }

    private func files() -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: ResultsCache.folder, includingPropertiesForKeys: nil)) ?? []
    }

    /// Runs a block with a folder of its own.
    private func withFolder(_ body: () throws -> Void) throws {
        let folder = try TemporaryFolder()
        ResultsCache.folder = folder.url.appendingPathComponent("Lists")
        try body()
        withExtendedLifetime(folder) {}
    }

    /// Makes the kept list say another name of the first section, to tell it from one that was fetched.
    private func mark(_ url: URL) throws {
        guard var fields = try PropertyList(binary: Data(contentsOf: url)).dictionary else { return }
        fields["sections"] = .array([.string("kept"), .string("B")])
        try PropertyList.dictionary(fields).binaryData.write(to: url)
    }

    @Test("keys and sections survive a restart, and are used again (FRC-18)")
    func survivesRestart() throws {
        try withFolder {
            var stack = try stack()
            #expect(try controller(stack, "Root").sections?.map(\.name) == ["A", "B"])
            let file = try #require(files().first)
            try mark(file)
            #expect(try controller(stack, "Root").sections?.map(\.name) == ["kept", "B"])
            stack = try stack.reopened()
            let kept = try controller(stack, "Root")
            #expect(kept.sections?.map(\.name) == ["kept", "B"])
            #expect(kept.table("name") == ["kept: A", "B: B B"])
        }
    }

    @Test("a list of another request, or of a store that anybody changed, is never shown (FRC-19)")
    func noticesChanges() throws {
        try withFolder {
            let stack = try stack()
            _ = try controller(stack, "Root")
            try mark(try #require(files().first))
            #expect(try controller(stack, "Root", sections: nil).sections?.map(\.name) == [""])
            _ = try controller(stack, "Root")
            try mark(try #require(files().first))
            let other = try stack.another()
            other.context.cards("C")
            try other.context.save()
            #expect(try controller(stack, "Root").sections?.map(\.name) == ["A", "B", "C"])
        }
    }

    @Test("a kept list can be deleted, and a damaged one is as good as none (FRC-19)")
    func survivesDamage() throws {
        try withFolder {
            let stack = try stack()
            _ = try controller(stack, "Root")
            let file = try #require(files().first)
            let whole = try Data(contentsOf: file)
            for length in stride(from: 0, to: whole.count, by: 7) {
                try whole.prefix(length).write(to: file)
                let controller = stack.context.controller(
                    CardModel.request("name", "number"), sections: "name", cache: "Root")
                try controller.performFetch()
                #expect(controller.table() == ["A: A", "B: B B"])
            }
            guard var fields = try PropertyList(binary: whole).dictionary else { return }
            fields["counts"] = .data(Data(repeating: 0xFF, count: 16))
            try PropertyList.dictionary(fields).binaryData.write(to: file)
            #expect(try controller(stack, "Root").table() == ["A: A", "B: B B"])
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "Other")
            #expect(files().count == 1)
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "Root")
            #expect(files().isEmpty)
        }
    }
}
