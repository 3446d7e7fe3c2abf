import CoreData
import StoreContract

/// Does the same to contexts and to their references, and says where they differ.
final class ContextRun {
    /// One save of a context without parent, as it was told to others and as the reference knows it.
    struct Notice {
        let sender: Int
        let notification: Notification
        let reference: ReferenceNotice
    }

    struct Difference: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    static let anchorCount = 3

    let arrangement: ContextArrangement
    /// Whether records own others. Then those that others own and refer to are changed in no other way, and not compared.
    let isRelational: Bool
    private let stacks: [Stack]
    let contexts: [NSManagedObjectContext]
    let references: [ReferenceContext]
    let store = ReferenceStore()
    let events: ContextEvents
    /// The objects that the test holds, of each context by their numbers, faults too.
    var known: [[Int: NSManagedObject]]
    var anchors: [NSManagedObjectID: Int] = [:]
    var anchorPlaces: [Int: URL] = [:]
    var notices: [Notice] = []
    /// For each context how many notices it has had the chance to merge.
    var heard: [Int]
    /// The record that was chosen last, which is chosen again and again, so that contexts meet at it.
    private var favourite = 0
    var lastNumber = 0
    var lastValue = 0

    init(
        _ arrangement: ContextArrangement, isRelational: Bool, _ policies: [NSMergePolicyType],
        _ model: NSManagedObjectModel,
        _ kind: StoreKind, _ events: ContextEvents
    ) throws {
        self.arrangement = arrangement
        self.isRelational = isRelational
        self.events = events
        let stack = try Stack(model, kind: kind)
        stacks = arrangement == .coordinators ? [stack, stack, try stack.another()] : [stack]
        var contexts: [NSManagedObjectContext] = []
        var references: [ReferenceContext] = []
        for (number, parent) in arrangement.parents.enumerated() {
            let context: NSManagedObjectContext
            if let parent {
                context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.parent = contexts[parent]
            } else {
                context = stacks[number % stacks.count].newContext()
            }
            contexts.append(context)
            context.mergePolicy = NSMergePolicy(merge: policies[number])
            // Records that are gone are met on purpose.
            context.dataErrorHandler = { _, _ in }
            references.append(
                ReferenceContext(store, parent: parent.map { references[$0] }, policy: policies[number], events))
        }
        (self.contexts, self.references) = (contexts, references)
        known = contexts.map { _ in [:] }
        heard = contexts.map { _ in 0 }
        try prepare()
    }

    /// The policies for a context: where owners are not compared, those that never depend on what else was done to them.
    static func policies(isRelational: Bool) -> [NSMergePolicyType] {
        isRelational
            ? [
                .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
                .overwriteMergePolicyType,
            ] : ContextEvents.policies
    }

    /// Saves the records that links lead to, which nobody deletes, and some more.
    private func prepare() throws {
        for _ in 0..<Self.anchorCount + 2 { contexts[0].performAndWait { insert(0) } }
        try contexts[0].performAndWait { try save(0) }
        for number in 1...Self.anchorCount {
            guard let object = known[0][number] else { throw Difference("no anchor \(number)") }
            let place = object.objectID.uriRepresentation()
            anchorPlaces[number] = place
            for stack in stacks {
                guard let identifier = stack.coordinator.managedObjectID(forURIRepresentation: place) else {
                    throw Difference("no identifier of \(place)")
                }
                anchors[identifier] = number
            }
            if isRelational { (known[0][number], references[0].objects[number]) = (nil, nil) }
        }
    }

    /// Whether an object is one of those that are not compared.
    func isLeftOut(_ object: NSManagedObject) -> Bool { isRelational && anchors[object.objectID] != nil }

    /// The first difference, with the place of the operation after which it was there.
    func firstDifference(_ operations: [ContextOperation]) -> String? {
        for (place, operation) in operations.enumerated() {
            do {
                try perform(operation)
                try compareContexts(concerning: operation)
            } catch {
                return "after \(place + 1) of \(operations.count), \(operation): \(error)"
            }
        }
        do {
            try compareStore()
        } catch {
            return "at the end: \(error)"
        }
        return nil
    }

    // MARK: Doing

    func contextNumber(_ operation: ContextOperation) -> Int { operation.numbers[0] % contexts.count }

    private func perform(_ operation: ContextOperation) throws {
        let number = contextNumber(operation)
        try contexts[number].performAndWait { try perform(operation, in: number) }
    }

    private func perform(_ operation: ContextOperation, in one: Int) throws {
        let (context, reference) = (contexts[one], references[one])
        let value = operation.numbers[2]
        switch operation.kind {
        case .save: try save(one)
        case .policy:
            let choices = Self.policies(isRelational: isRelational && reference.parent == nil)
            reference.policy = choices[value % choices.count]
            context.mergePolicy = NSMergePolicy(merge: reference.policy)
        case .rollback:
            context.rollback()
            reference.rollBack()
        case .reset:
            context.reset()
            reference.reset()
            known[one] = [:]
        case .merge: merge(one, late: nil)
        case .mergeLate: merge(one, late: value)
        case .insert: insert(one)
        case .readAll: for number in choices(one) { try read(number, in: one) }
        case .fetch: try compareFetch(one, value)
        default:
            guard let number = choose(one, operation.numbers[1]) else { return insert(one) }
            try change(operation, number, in: one)
        }
    }

    /// One of the records that a context knows or can find.
    private func choose(_ one: Int, _ value: Int) -> Int? {
        let numbers = choices(one)
        guard !numbers.isEmpty else { return nil }
        if value % 3 == 0 || !numbers.contains(favourite) { favourite = numbers[value / 3 % numbers.count] }
        return favourite
    }

    private func choices(_ one: Int) -> [Int] {
        Set(references[one].objects.keys).union(references[one].fetchable.keys)
            .filter { !isRelational || $0 > Self.anchorCount }.sorted()
    }

    func insert(_ one: Int) {
        guard references[one].fetchable.count < 8 else { return }
        lastNumber += 1
        known[one][lastNumber] = contexts[one].insert("Node", ["number": lastNumber])
        references[one].insert(lastNumber)
    }

    /// Reads a record in both; gives its object if there is one that can be changed.
    @discardableResult func read(_ number: Int, in one: Int) throws -> NSManagedObject? {
        let reference = references[one]
        let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
        request.predicate = NSPredicate(format: "number == %d", number)
        let found = try contexts[one].fetch(request)
        guard found.count == (reference.fetchable[number] == nil ? 0 : 1) else {
            throw Difference("context \(one) finds \(number) \(found.count) times")
        }
        if let object = found.first {
            if let former = known[one][number], former !== object {
                throw Difference("context \(one) has two objects for \(number)")
            }
            known[one][number] = object
            _ = object.value(forKey: "text")
            noteReading(number, one)
            reference.fill(number)
        }
        return reference.objects[number] == nil ? nil : known[one][number]
    }

    private func noteReading(_ number: Int, _ one: Int) {
        let reference = references[one]
        if reference.objects[number] == nil, reference.parent?.objects[number]?.hasChanges == true {
            events.note(.unsavedFetchedThroughParent)
        }
    }
}
