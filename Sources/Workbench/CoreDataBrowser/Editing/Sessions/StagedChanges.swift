import CoreData

/// The staged changes of a tab, by object, as the last answer had them, so that an answer examines only what changed
/// since.
///
/// Invariants:
/// 1. `staged`, `broken` and `dependent` have each object as it was when the last answer was made.
/// 2. `touched` has the objects of which the context has announced changes since.
/// 3. `version` grows with each answer that differs from the one before, see `StagedVersion`.
///
/// Used only on the context's queue.
final class StagedChanges: @unchecked Sendable {
    /// What differs from the last answer.
    struct Difference {
        fileprivate(set) var changed: [StagedChange] = []
        /// The names of objects that have nothing staged any more.
        fileprivate(set) var unstaged: [String] = []
        fileprivate(set) var hasOtherProblems = false
    }

    private(set) var version = StagedVersion.next()
    private let context: NSManagedObjectContext
    private let naming: (NSManagedObject) -> String
    private var staged: [NSManagedObject: StagedChange] = [:]
    /// The objects that break rules of the model, with what is wrong.
    private var broken: [NSManagedObject: [JSONValue]] = [:]
    private var touched: Set<NSManagedObject> = []
    /// The staged objects whose validation may depend on other objects.
    private var dependent: Set<NSManagedObject> = []
    private var observer: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext, _ names: StagedNames) {
        self.context = context
        naming = { names.name(of: $0) }
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [weak self] in self?.note($0) }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    private func note(_ notification: Notification) {
        func objects(_ key: String) -> Set<NSManagedObject> {
            notification.userInfo?[key] as? Set<NSManagedObject> ?? []
        }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] { touched.formUnion(objects(key)) }
        // A refreshed object without staged changes needs no check, and must not be retained.
        touched.formUnion(objects(NSRefreshedObjectsKey).filter { staged[$0] != nil || $0.hasChanges })
    }

    /// Clears the lists, for when nothing is staged any more.
    func forgetAll() {
        (staged, broken, touched, dependent) = ([:], [:], [], [])
        version = StagedVersion.next()
    }

    // MARK: What is staged

    var count: Int { staged.count }

    /// The objects with unsaved changes: inserted, updated, deleted, each kind in the order of names.
    var all: [StagedChange] { StagedChange.sorted(Array(staged.values)) }

    /// The rules of the model that are broken.
    var problems: [JSONValue] { EditProblems.shown(broken.values.flatMap(\.self)) }

    /// Updates the lists by what has changed since the last answer, and returns the difference.
    func update(_ access: BrowserAccess) -> Difference {
        context.processPendingChanges()
        return take(over: touched, checking: touched.union(dependent), access)
    }

    /// Updates the lists by all that is staged, as for a first answer, and returns the difference.
    func reload(_ access: BrowserAccess) -> Difference {
        context.processPendingChanges()
        let present = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
        let all = present.union(staged.keys).union(touched)
        return take(over: all, checking: all.union(broken.keys), access)
    }

    /// Whether the validation of an object may change although the object does not: validation methods of its class,
    /// delete rules, and relationships that require objects.
    private static func dependsOnOthers(_ object: NSManagedObject) -> Bool {
        if object.isDeleted {
            return object.entity.relationshipsByName.values.contains { $0.deleteRule == .denyDeleteRule }
        }
        return type(of: object) != NSManagedObject.self || !object.layout.ruleKeys.isEmpty
            || object.entity.relationshipsByName.values.contains(where: isOneWayDemand)
    }

    /// Whether a relationship requires objects, and deleting these does not change the object that has the
    /// relationship.
    private static func isOneWayDemand(_ relationship: NSRelationshipDescription) -> Bool {
        let isLimited = relationship.isToMany && (relationship.minCount > 0 || relationship.maxCount > 0)
        guard !relationship.isOptional || isLimited else { return false }
        guard let inverse = relationship.inverseRelationship else { return true }
        return inverse.deleteRule == .noActionDeleteRule
    }

    private func take(
        over objects: Set<NSManagedObject>, checking checked: Set<NSManagedObject>, _ access: BrowserAccess
    ) -> Difference {
        var difference = Difference()
        check(checked, access, &difference)
        // A validation method may replace a value, which is a change too.
        context.processPendingChanges()
        for object in objects.union(touched) {
            let former = staged[object]
            let present = StagedChange(object, naming: naming, access: access)
            guard present?.line != former?.line else { continue }
            staged[object] = present
            if present != nil, Self.dependsOnOthers(object) {
                dependent.insert(object)
            } else {
                dependent.remove(object)
            }
            if let present {
                difference.changed.append(present)
            } else if let former {
                difference.unstaged.append(former.name)
            }
        }
        touched = []
        difference.changed = StagedChange.sorted(difference.changed)
        difference.unstaged.sort { $0.compare($1, options: .numeric) == .orderedAscending }
        if !difference.isEmpty { version = StagedVersion.next() }
        return difference
    }

    private func check(_ objects: Set<NSManagedObject>, _ access: BrowserAccess, _ difference: inout Difference) {
        let rules = EditProblems(naming)
        for object in objects {
            let problems = StagedChange.kind(of: object) == nil ? [] : rules.problems(of: object, access)
            guard Self.line(problems) != Self.line(broken[object] ?? []) else { continue }
            broken[object] = problems.isEmpty ? nil : problems
            difference.hasOtherProblems = true
        }
    }

    private static func line(_ problems: [JSONValue]) -> String { JSONWriter.line(.array(problems)) }
}

extension StagedChanges.Difference {
    var isEmpty: Bool { changed.isEmpty && unstaged.isEmpty && !hasOtherProblems }
}
