import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing
import WriteScenarios

@Suite("Notified commits of another process", .timeLimit(.minutes(20)))
struct RemoteCommitsTests {
    @Test("every commit of another process is notified, in order (CTX-34)")
    func everyCommitIsNotified() throws {
        let saves = TestSeed.isExhaustive ? 1_000 : 60
        let followed = try RemoteCommits()
        let child = try Child("announce", followed.url.path, "\(saves)", "8000", "\(TestSeed.first)")
        let commits = try child.lines().map { try #require(Int($0), "the child says '\($0)'") }
        #expect(child.status() == 0)
        #expect(commits.count == saves)
        eventually("the last commit to be told of") { followed.last == saves }
        let notices = followed.notices
        let numbers = notices.compactMap(\.transaction)
        // Commits that come together may be told of together, none of them twice.
        #expect(numbers.count == notices.count && numbers == Set(numbers).sorted())
        #expect(!numbers.isEmpty && numbers.count <= saves)
        guard TestSeed.isExhaustive else { return }
        print(Self.delays(of: commits, notices))
    }

    /// From the return of each save to the first notice of it or of a later one.
    private static func delays(of commits: [Int], _ notices: [RemoteCommits.Notice]) -> String {
        let delays = commits.enumerated().compactMap { index, time in
            notices.first { $0.transaction ?? 0 > index }.map { max(0, $0.time - time) }
        }.sorted()
        func milliseconds(_ part: Double) -> String {
            let delay = delays[min(delays.count - 1, Int(Double(delays.count) * part))]
            return (Double(delay) / 1_000_000).formatted(.number.precision(.fractionLength(2)))
        }
        return "\(commits.count) commits of another process, \(notices.count) notices: "
            + "p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, at most \(milliseconds(1)) ms"
    }

    @Test("a checkpoint of another process is not notified, and commits after it are (CTX-34)")
    func checkpointIsNotNotified() throws {
        let followed = try RemoteCommits()
        for round in 1...3 {
            try Self.run(Child("announce", followed.url.path, "1", "0", "1"))
            eventually("the commit") { followed.last == round }
            try Self.run(Child("checkpoint", followed.url.path))
        }
        try Self.run(Child("announce", followed.url.path, "1", "0", "1"))
        eventually("the commit after the checkpoints") { followed.last == 4 }
        #expect(followed.transactions == [1, 2, 3, 4])
    }

    @Test("metadata alone that another process writes is notified once, without a token (CTX-34)")
    func metadataIsNotified() throws {
        let followed = try RemoteCommits()
        func title() -> String? {
            followed.stack.coordinator.metadata(for: followed.stack.store)["title"] as? String
        }
        try Self.run(Child("describe", followed.url.path, "one", "open"))
        eventually("the metadata") { followed.transactions == [nil] }
        #expect(title() == "one")
        try Self.run(Child("announce", followed.url.path, "1", "0", "1"))
        eventually("the commit") { followed.last == 1 }
        try Self.run(Child("describe", followed.url.path, "two", "closed"))
        eventually("the metadata of a closed store") { followed.transactions == [nil, 1, nil] }
        #expect(title() == "two")
        // Neither a checkpoint nor what is there already is told of.
        try Self.run(Child("checkpoint", followed.url.path))
        try Self.run(Child("describe", followed.url.path, "two", "open"))
        try Self.run(Child("announce", followed.url.path, "1", "0", "1"))
        eventually("the last commit") { followed.last == 2 }
        #expect(followed.transactions == [nil, 1, nil, 2])
    }

    @Test("own saves are notified once each, and beside another process's too (CTX-34)")
    func ownSavesAreNotifiedOnce() throws {
        let followed = try RemoteCommits()
        for number in 1...10 { try followed.save(number) }
        eventually("the own saves") { followed.last == 10 }
        #expect(followed.transactions == Array(1...10))
        let child = try Child("announce", followed.url.path, "20", "8000", "\(TestSeed.first)")
        // The child commits while this process does.
        #expect(child.line() != nil)
        for number in 11...20 { try followed.save(number) }
        #expect(child.lines().count == 19 && child.status() == 0)
        eventually("the last commit") { followed.last == 40 }
        // Taken once: the notice of an own commit may follow one of others' that told of it already.
        let notices = followed.transactions
        let told = notices.compactMap { $0 }
        let own = try followed.stack.transactions(by: nil)
        #expect(own.count == 20 && Set(told).isSuperset(of: own), "\(told)")
        // A notice of others' commits tells the newest transaction there is, which may be an own one.
        #expect(told.count == notices.count && told == told.sorted() && told.count <= 40, "\(told)")
    }

    /// A controller without a delegate does not follow changes.
    private final class Listener: NSObject, NSFetchedResultsControllerDelegate {}

    @Test("a context that merges by itself, and a controller on it, have what another process saved (CTX-34)")
    func contextAndControllerFollow() throws {
        let followed = try RemoteCommits()
        let context = followed.stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let listener = Listener()
        controller.delegate = listener
        try context.performAndWait {
            context.automaticallyMergesChangesFromParent = true
            try controller.performFetch()
        }
        func authors() -> [String] {
            context.performAndWait {
                (controller.fetchedObjects ?? []).map {
                    "\($0.value(forKey: "name") ?? "nil") \($0.value(forKey: "count") ?? "nil")"
                }
            }
        }
        #expect(authors() == [])
        try Self.run(Child("write", followed.url.path, "b", "1"))
        eventually("the first author") { authors() == ["b 1"] }
        try Self.run(Child("write", followed.url.path, "a", "2"))
        eventually("an author before it") { authors() == ["a 2", "b 1"] }
        try Self.run(Child("write", followed.url.path, "b", "5"))
        eventually("the new count") { authors() == ["a 2", "b 5"] }
        #expect(context.performAndWait { !context.hasChanges && context.registeredObjects.count >= 2 })
    }

    /// Waits for a child that does its work and ends.
    private static func run(_ child: Child) throws {
        let lines = child.lines()
        #expect(child.status() == 0, "\(lines)")
    }
}

extension Stack {
    /// The numbers of the transactions of an author.
    fileprivate func transactions(by author: String?) throws -> [Int64] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        return transactions.filter { $0.author == author }.map(\.transactionNumber)
    }
}
