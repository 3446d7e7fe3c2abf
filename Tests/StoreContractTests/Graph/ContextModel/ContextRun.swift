import CoreData
import CoreDataTestSupport

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
        _ arrangement: ContextArrangement, isRelational: Bool, _ policies: [NSMergePolicyType], _ model: NSManagedObjectModel,
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

    private func change(_ operation: ContextOperation, _ number: Int, in one: Int) throws {
        let reference = references[one]
        guard let object = try read(number, in: one), let twin = reference.objects[number] else { return }
        if operation.kind == .tag, isRelational { return try changeTag(operation.numbers[2], number, in: one) }
        if operation.kind == .refresh {
            // Members that the program looks at are read again at once, which parents have to read.
            if isRelational, let parent = arrangement.parents[one] { try renew(number, parent) }
            contexts[one].refresh(object, mergeChanges: true)
            return reference.refresh(number)
        }
        guard twin.life != .deleted else { return }
        switch operation.kind {
        case .text: set(.text, operation.numbers[2] % 4 == 0 ? nil : operation.numbers[2] % 5, object, number, reference)
        case .count: set(.count, operation.numbers[2] % 4 == 0 ? nil : operation.numbers[2] % 5, object, number, reference)
        case .blob:
            lastValue += 1
            set(.blob, lastValue, object, number, reference)
        case .same:
            let key = NodeKey.allCases[operation.numbers[2] % 2]
            set(key, twin.values[key], object, number, reference)
        case .link, .owner:
            let key = isRelational && operation.kind == .owner ? NodeKey.owner : .link
            let target = operation.numbers[2] % (Self.anchorCount + 1)
            object.setValue(target == 0 ? nil : anchor(target, one), forKey: key.rawValue)
            references[one].objects[number]?.set(key, target == 0 ? nil : target)
        case .delete:
            guard number > Self.anchorCount else { return }
            // The delete rules ask for members, which parents have to read.
            if let parent = arrangement.parents[one] { try renew(number, parent) }
            contexts[one].delete(object)
            reference.delete(number)
        case .refault:
            guard twin.life != .inserted, !twin.hasTagChanges else { return }
            contexts[one].refresh(object, mergeChanges: false)
            reference.objects[number] = nil
        default: break
        }
    }

    private func set(
        _ key: NodeKey, _ value: Int?, _ object: NSManagedObject, _ number: Int, _ reference: ReferenceContext
    ) {
        object.setValue(NodeModel.value(key, value), forKey: key.rawValue)
        reference.objects[number]?.set(key, value)
    }

    /// Adds or removes one of the records that another is tagged with, all of which are read anew before.
    private func changeTag(_ value: Int, _ number: Int, in one: Int) throws {
        try renew(number, one)
        let reference = references[one]
        let tag = value % Self.anchorCount + 1
        guard reference.objects[number] != nil, let object = known[one][number], let target = anchor(tag, one),
            reference.isSound(number),
            !store.vaguelyTagged.contains(number)
        else { return }
        let tags = reference.tags(number)
        let found = Set((object.value(forKey: "tags") as? Set<NSManagedObject> ?? []).map { anchors[$0.objectID] ?? -1 })
        guard found == tags else { throw Difference("context \(one) has \(number) tagged with \(found), not \(tags)") }
        let members = object.mutableSetValue(forKey: "tags")
        if tags.contains(tag) { members.remove(target) } else { members.add(target) }
        reference.setTag(tag, of: number, !tags.contains(tag))
    }

    /// Has a context and its parents read a record anew, the topmost first.
    private func renew(_ number: Int, _ one: Int) throws {
        if let parent = arrangement.parents[one] { try renew(number, parent) }
        try contexts[one].performAndWait {
            let object = try read(number, in: one)
            guard isRelational, let object, references[one].objects[number]?.life != .deleted else { return }
            contexts[one].refresh(object, mergeChanges: true)
            references[one].refresh(number)
        }
    }

    private func anchor(_ number: Int, _ one: Int) -> NSManagedObject? {
        guard let place = anchorPlaces[number],
            let identifier = contexts[one].persistentStoreCoordinator?.managedObjectID(forURIRepresentation: place)
        else { return nil }
        return contexts[one].object(with: identifier)
    }

    // MARK: Saving and merging

    func save(_ one: Int) throws {
        let (context, reference) = (contexts[one], references[one])
        try readInParents(one)
        // What a parent makes of members of a record that it has changed and its own parent deleted is not told anywhere.
        guard reference.changed.allSatisfy({ reference.objects[$0]?.hasTagChanges != true || reference.isSound($0) })
            || reference.parent == nil
        else { return }
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: context)
        let expected = reference.save()
        var failure: NSError?
        do { try context.save() } catch { failure = error as NSError }
        switch expected {
        case .nothing:
            if isRelational, failure == nil, !board.all.isEmpty { return try compare(board, ReferenceNotice(), one) }
            guard failure == nil, board.all.isEmpty else { throw Difference("a save of nothing was told, or failed") }
        case .saved(let notice):
            if let failure { throw Difference("the save of \(one) failed: \(failure)") }
            try compare(board, notice, one)
        case .refused(let conflicts):
            guard let failure, failure.code == NSManagedObjectMergeError else {
                throw Difference("the save of \(one) should have been refused because of \(conflicts): \(failure as Any)")
            }
            try compare(failure, conflicts, one)
        }
    }

    /// What a child's save needs in its parents is read there before.
    private func readInParents(_ one: Int) throws {
        guard let parent = arrangement.parents[one] else { return }
        for number in references[one].changed where references[one].objects[number]?.life != .inserted {
            try renew(number, parent)
        }
    }

    private func compare(_ board: NoticeBoard, _ notice: ReferenceNotice, _ one: Int) throws {
        guard let notification = board.all.first, board.all.count == 1 else {
            throw Difference("the save of \(one) was told \(board.all.count) times")
        }
        let numbers = numbers(one)
        func set(_ key: String) -> Set<Int> {
            Set(board.objects(key).filter { !isLeftOut($0) }.map { numbers[ObjectIdentifier($0)] ?? -1 })
        }
        let told = ReferenceNotice(
            inserted: set(NSInsertedObjectsKey), updated: set(NSUpdatedObjectsKey), deleted: set(NSDeletedObjectsKey))
        guard told == notice else { throw Difference("the save of \(one) told \(told), not \(notice)") }
        if arrangement.parents[one] == nil {
            notices.append(Notice(sender: one, notification: notification, reference: notice))
        }
    }

    private func compare(_ failure: NSError, _ conflicts: [Int: Bool], _ one: Int) throws {
        let numbers = numbers(one)
        let told = (failure.userInfo["conflictList"] as? [NSMergeConflict] ?? []).map {
            (numbers[ObjectIdentifier($0.sourceObject)] ?? -1, $0.newVersionNumber == 0)
        }
        guard Dictionary(told, uniquingKeysWith: { first, _ in first }) == conflicts, told.count == conflicts.count else {
            throw Difference("the save of \(one) was refused for \(told), not \(conflicts)")
        }
    }

    /// Merges the saves not heard of yet in their order, or some old one, into a context without parent.
    private func merge(_ one: Int, late: Int?) {
        guard arrangement.parents[one] == nil, !notices.isEmpty else { return }
        if let late { return merge(notices[max(0, notices.count - 1 - late % 5)], into: one) }
        for notice in notices[heard[one]...] { merge(notice, into: one) }
        heard[one] = notices.count
    }

    private func merge(_ notice: Notice, into one: Int) {
        guard notice.sender != one else { return }
        // Merging a save of its own coordinator gives what that knows, which need not be what others wrote since.
        let isOwn = contexts[one].persistentStoreCoordinator === contexts[notice.sender].persistentStoreCoordinator
        if arrangement == .coordinators, isOwn { return }
        contexts[one].mergeChanges(fromContextDidSave: notice.notification)
        references[one].merge(notice.reference)
    }
}
