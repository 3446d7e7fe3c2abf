import CoreData
import CoreDataSyncing
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite("Merges that the program validates")
struct ValidatedMergeTests {
    /// What a program was asked, and what it answers.
    private final class Program: Sendable {
        let merges = Mutex<[String]>([])
        let limit = Mutex(5)

        var options: SyncOptions {
            var options = SyncOptions()
            options.validate = { [self] merge in verdict(on: merge) }
            return options
        }

        /// Refuses counts above the limit, and gives a real number to objects without one.
        private func verdict(on merge: SyncMerge) -> SyncVerdict {
            merges.withLock { list in
                list += merge.objects.map { object in
                    let label = object.values["label"] as? String ?? "?"
                    return "\(object.change) \(object.entity) \(label) \(object.changedKeys.sorted().contains("count"))"
                }
            }
            let limit = limit.withLock { $0 }
            if merge.objects.contains(where: { ($0.values["count"] as? Int ?? 0) > limit }) {
                return .refuse("too many")
            }
            let open = merge.objects.filter {
                $0.entity == "Item" && $0.change != .deleted && $0.values["real"] == nil
            }
            return open.isEmpty ? .accept : .correct(open.map { .set(["real": 0.5, "small": 7], of: $0) })
        }
    }

    private func pair(_ program: Program) async throws -> (SyncPeer, SyncPeer) {
        let transport = MemoryTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport, options: program.options))
        _ = first.insert("Item", "one", ["real": 1.0])
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        return (first, second)
    }

    @Test("a refused merge leaves the store as it is, is shown by the status with its reason, and is tried again")
    func refusalIsShown() async throws {
        let program = Program()
        let (first, second) = try await pair(program)
        let before = try second.dump()
        let item = try first.find("Item", "one")
        first.context.performAndWait { item.setValue(9, forKey: "count") }
        try first.save()
        try await settle([first, second])
        #expect(try second.dump() == before)
        let status = try await second.session.status()
        let failure = try #require(status.lastFailure)
        #expect(failure.message.contains("too many") && failure.cure?.contains("tried again") == true)
        #expect(!status.isInSync)
        let again = try await second.session.exchange()
        #expect(again.refusalByProgram == "too many")
        program.limit.withLock { $0 = 10 }
        try await settle([second, first])
        #expect(try second.dump() == first.dump() && second.dump().contains("count=9 "))
        for peer in [first, second] {
            let status = try await peer.session.status()
            #expect(status.isInSync && status.lastFailure == nil)
        }
    }

    @Test("corrections travel to the peers, and the program sees whole objects")
    func correctionsTravel() async throws {
        let program = Program()
        let (first, second) = try await pair(program)
        _ = first.insert("Item", "two", ["count": 3])
        let one = try first.find("Item", "one")
        first.context.performAndWait { one.setValue(4, forKey: "count") }
        try first.save()
        try await settle([first, second])
        #expect(try second.dump() == first.dump())
        let two = try first.find("Item", "two")
        first.context.performAndWait {
            #expect(two.value(forKey: "real") as? Double == 0.5)
            #expect(two.value(forKey: "small") as? Int == 7)
        }
        let merges = program.merges.withLock { $0 }
        // The label of an object of which another attribute changed is there too.
        #expect(merges.contains("updated Item one true") && merges.contains("inserted Item two true"), "\(merges)")
        let deleted = try first.find("Item", "one")
        first.context.performAndWait { first.context.delete(deleted) }
        try first.save()
        try await settle([first, second])
        #expect(program.merges.withLock { $0 }.contains("deleted Item one false"))
    }

    @Test("a correction of what does not exist, or of another type, refuses the merge and says so")
    func wrongCorrections() async throws {
        for (correction, reason) in [("unknown", "not a synced attribute"), ("count", "another type")] {
            var options = SyncOptions()
            options.validate = { merge in .correct(merge.objects.map { .set([correction: "text"], of: $0) }) }
            let transport = MemoryTransport()
            let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport, options: options))
            try await first.session.join()
            try await second.session.join()
            try await settle([first, second])
            _ = first.insert("Item", "one")
            try first.save()
            try await settle([first, second])
            #expect(try second.dump() == "")
            #expect(try await second.session.status().lastFailure?.message.contains(reason) == true)
        }
    }

    @Test("a program may insert objects that refer to those of the merge, and to each other")
    func insertions() async throws {
        var options = SyncOptions()
        options.validate = { merge in
            let orphans = merge.objects.filter { $0.entity == "Item" && $0.change == .inserted }
            let isDone = merge.objects.contains { $0.entity == "Owner" }
            guard let orphan = orphans.first, !isDone else { return .accept }
            let owner = SyncCorrection.insert("Owner", ["label": "by the program", "code": "c"], as: "owner")
            let item = SyncCorrection.insert(
                "Special", ["label": "beside it", "extra": "x"], relationships: ["owner": ["owner"]], as: "item")
            return .correct([.set([:], relationships: ["owner": ["owner"]], of: orphan), item, owner])
        }
        let transport = MemoryTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport, options: options))
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        _ = first.insert("Item", "one")
        try first.save()
        try await settle([first, second])
        #expect(try StoreDump.difference(first.dump(), second.dump()) == [])
        let items = try first.find("Owner", "by the program")
        first.context.performAndWait {
            let members = items.value(forKey: "items") as? Set<NSManagedObject> ?? []
            #expect(Set(members.map { $0.value(forKey: "label") as? String }) == ["one", "beside it"])
        }
        // The inserted objects are known by their rows: saves of them are edits.
        let inserted = try second.find("Item", "beside it")
        second.context.performAndWait { inserted.setValue(5, forKey: "count") }
        try second.save()
        try await settle([second, first])
        #expect(try first.dump().contains("count=5 "))
        #expect(try StoreDump.difference(first.dump(), second.dump()) == [])
        #expect(try await second.session.examine().findings.isEmpty)
    }

    @Test("insertions of abstract or unknown entities, and with an identity that is taken, refuse the merge")
    func wrongInsertions() async throws {
        for (entity, reason) in [("Nothing", "no synced entity"), ("Tag", "the identity of another")] {
            var options = SyncOptions()
            options.validate = { merge in .correct(merge.objects.map { .insert(entity, [:], as: $0.identity) }) }
            let transport = MemoryTransport()
            let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport, options: options))
            try await first.session.join()
            try await second.session.join()
            try await settle([first, second])
            _ = first.insert("Item", "one")
            try first.save()
            try await settle([first, second])
            #expect(try second.dump() == "")
            #expect(try await second.session.status().lastFailure?.message.contains(reason) == true)
        }
    }

    @Test("a program may delete what a merge brings")
    func deletions() async throws {
        var options = SyncOptions()
        options.validate = { merge in
            let unwanted = merge.objects.filter { $0.change == .inserted && $0.values["label"] as? String == "bad" }
            return unwanted.isEmpty ? .accept : .correct(unwanted.map { .delete($0) })
        }
        let transport = MemoryTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport, options: options))
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        for label in ["good", "bad"] { _ = first.insert("Item", label) }
        try first.save()
        try await settle([first, second])
        #expect(try first.dump() == second.dump())
        #expect(try first.dump().contains("label=good") && !first.dump().contains("label=bad"))
    }
}
