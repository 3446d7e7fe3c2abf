import CoreDataFoundation
import Testing

@MainActor
struct KeyChangesTests {
    private func texts(of changes: KeyChanges) async -> [String] {
        var result: [String] = []
        for await change in changes {
            result.append("\(change.key) \(change.old.map { "\($0)" } ?? "nil")>\(change.new.map { "\($0)" } ?? "nil")")
        }
        return result
    }

    @Test("a sequence gives the changes in their order and ends when the object is deallocated (KVC-11)")
    func sequenceEndsWithTheObject() async {
        var person: Colleague? = Colleague(name: "Ann")
        let changes = person!.changes(for: ["name", "age"])
        person?.name = nil
        person?.set(1_960, for: "birth")
        person?.name = "Bea"
        person = nil
        #expect(await texts(of: changes) == ["name Ann>nil", "age 2000>40", "name nil>Bea"])
    }

    @Test("a sequence ends when its object says so, as one does that is deleted (KVC-11)")
    func sequenceEndsOnRequest() async {
        let person = Colleague(name: "Ann")
        let listener = Listener()
        person.addObserver(listener, forKeyPath: "name")
        let changes = person.changes(for: ["name"])
        person.name = "Bea"
        person.keyObservers?.endSequences()
        person.name = "Cid"
        #expect(await texts(of: changes) == ["name Ann>Bea"])
        #expect(listener.heard.count == 2 && person.keyObservers?.observationCount == 1)
    }

    @Test("a sequence for no key path is empty; a short buffer keeps the newest (KVC-11)")
    func sequenceForNoKeyPathIsEmpty() async {
        let person = Colleague(name: "0")
        #expect(await texts(of: person.changes(for: [])) == [])
        #expect(person.keyObservers == nil)
        let changes = person.changes(for: ["name"], bufferingPolicy: .bufferingNewest(2))
        for name in ["1", "2", "3", "4"] { person.name = name }
        person.keyObservers?.endSequences()
        #expect(await texts(of: changes) == ["name 2>3", "name 3>4"])
    }

    @Test("cancelling the reader or dropping the sequence ends the observation with the next change (KVC-12)")
    func cancellingReaderOrDroppingSequenceEndsObservationWithNext() async {
        let person = Colleague(name: "Ann")
        let reader = Task { @MainActor [changes = person.changes(for: ["name"])] in await texts(of: changes) }
        await Task.yield()
        #expect(person.keyObservers?.observationCount == 1)
        reader.cancel()
        #expect(await reader.value == [])
        person.set(1, for: "birth")
        #expect(person.keyObservers == nil)
        _ = person.changes(for: ["name", "birth"])
        #expect(person.keyObservers?.observationCount == 2)
        person.name = "Bea"
        #expect(person.keyObservers == nil)
    }

    @Test("an object that knows its queue drops a cancelled observation without a change (KVC-12)")
    func cancellationOnTheQueue() async {
        final class Queued: KeyValueObserving {
            var keyObservers: KeyObserverRegistry?
            func codedValue(forKey key: String) throws -> Any? { nil }
            var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? {
                { work in DispatchQueue.main.async(execute: work) }
            }
        }
        let object = Queued()
        _ = object.changes(for: ["name"])
        #expect(object.keyObservers?.observationCount == 1)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(object.keyObservers == nil)
    }
}
