import CoreData
import Testing

/// A list that is kept by the messages of a controller alone, as a table view does, and notes what cannot be.
final class ListMirror: NSFetchedResultsControllerDelegate {
    struct Section: Equatable {
        var name: String
        var objects: [NSManagedObject]
    }

    private(set) var sections: [Section] = []
    /// What an object looked like when it was last told of.
    private var looks: [ObjectIdentifier: String] = [:]
    private(set) var flaws: [String] = []
    /// The messages of the last change, as text.
    private(set) var log: [String] = []
    private(set) var changes = 0
    private var isOpen = false
    private var deleted: [IndexPath] = []
    private var inserted: [(IndexPath, NSManagedObject)] = []
    private var deletedSections: [Int] = []
    private var insertedSections: [(Int, String)] = []

    /// Takes a controller's list as it is.
    func adopt(_ controller: NSFetchedResultsController<NSManagedObject>) {
        sections = Self.sections(of: controller)
        looks = [:]
        for object in sections.flatMap(\.objects) { looks[ObjectIdentifier(object)] = Self.look(object) }
    }

    static func sections<Result>(of controller: NSFetchedResultsController<Result>) -> [Section] {
        (controller.sections ?? []).map {
            Section(name: $0.name, objects: ($0.objects ?? []).compactMap { $0 as? NSManagedObject })
        }
    }

    static func look(_ object: NSManagedObject) -> String {
        ["name", "rank", "isHidden", "number"].map { "\(object.value(forKey: $0) ?? "nil")" }.joined(separator: "|")
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        if isOpen { flaws.append("two beginnings") }
        isOpen = true
        log = ["will"]
        // Who is about to change shows what it showed so far.
        let shown = Self.sections(of: controller)
        if shown != sections { flaws.append("changed too early") }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        log.append("section \(type) \(sectionIndex) \(sectionInfo.name)")
        if !isOpen { flaws.append("no beginning") }
        if !deleted.isEmpty || !inserted.isEmpty { flaws.append("a section after an object") }
        if type == .delete {
            if !sections.indices.contains(sectionIndex) || sections[sectionIndex].name != sectionInfo.name {
                flaws.append("no section \(sectionInfo.name) at \(sectionIndex)")
            }
            deletedSections.append(sectionIndex)
        } else {
            insertedSections.append((sectionIndex, sectionInfo.name))
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? NSManagedObject else { return flaws.append("no object") }
        log.append("\(type) \(text(indexPath)) \(text(newIndexPath))")
        if !isOpen { flaws.append("no beginning") }
        let (hasOld, hasNew) = (indexPath != nil, newIndexPath != nil)
        switch type {
        case .insert: if hasOld || !hasNew { flaws.append("an insertion with an old place") }
        case .delete, .update: if !hasOld || hasNew { flaws.append("a deletion or update with a new place") }
        case .move: if !hasOld || !hasNew { flaws.append("a move without two places") }
        }
        if let indexPath { check(type, object, at: indexPath) }
        if type != .delete { looks[ObjectIdentifier(object)] = Self.look(object) }
        if type != .update, let indexPath { deleted.append(indexPath) }
        if type != .update, let newIndexPath { inserted.append((newIndexPath, object)) }
    }

    private func check(_ type: NSFetchedResultsChangeType, _ object: NSManagedObject, at path: IndexPath) {
        guard let known = self.object(at: path), known !== object else { return }
        flaws.append("\(type) of another object")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("did")
        changes += 1
        if log.count == 2 { flaws.append("nothing between beginning and end") }
        isOpen = false
        apply()
    }

    /// First all that goes, by the former places, then all that comes, by the new ones.
    private func apply() {
        for path in deleted.sorted(by: >) where object(at: path) != nil {
            sections[path[0]].objects.remove(at: path[1])
        }
        for number in deletedSections.sorted(by: >) where sections.indices.contains(number) {
            if !sections[number].objects.isEmpty { flaws.append("a deleted section that is not empty") }
            sections.remove(at: number)
        }
        for (number, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
            guard number <= sections.count else { return flaws.append("a section behind the end") }
            sections.insert(Section(name: name, objects: []), at: number)
        }
        for (path, object) in inserted.sorted(by: { $0.0 < $1.0 }) {
            guard sections.indices.contains(path[0]), path[1] <= sections[path[0]].objects.count else {
                flaws.append("an object behind the end")
                continue
            }
            sections[path[0]].objects.insert(object, at: path[1])
        }
        (deleted, inserted, deletedSections, insertedSections) = ([], [], [], [])
    }

    private func object(at path: IndexPath) -> NSManagedObject? {
        guard sections.indices.contains(path[0]), sections[path[0]].objects.indices.contains(path[1]) else {
            return nil
        }
        return sections[path[0]].objects[path[1]]
    }

    private func text(_ path: IndexPath?) -> String { path.map { "\($0[0]).\($0[1])" } ?? "-" }

    /// What differs from the controller; empty when nothing does.
    func differences(from controller: NSFetchedResultsController<NSManagedObject>) -> [String] {
        var found = flaws
        if isOpen { found.append("no end") }
        if sections != Self.sections(of: controller) { found.append("another list") }
        for object in sections.flatMap(\.objects) where looks[ObjectIdentifier(object)] != Self.look(object) {
            found.append("an update was not told of: \(looks[ObjectIdentifier(object)] ?? "-") → \(Self.look(object))")
        }
        return found
    }
}

/// A list without sections that is kept by differences alone.
final class DifferenceMirror: NSFetchedResultsControllerDelegate {
    private(set) var objects: [NSManagedObject] = []
    private(set) var changes = 0
    private(set) var flaws: [String] = []

    func adopt(_ controller: NSFetchedResultsController<NSManagedObject>) { objects = controller.fetchedObjects ?? [] }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        changes += 1
        let context = controller.managedObjectContext
        let mapped = diff.map { change in
            switch change {
            case .insert(let offset, let id, let other):
                CollectionDifference<NSManagedObject>.Change.insert(
                    offset: offset, element: context.object(with: id), associatedWith: other)
            case .remove(let offset, let id, let other):
                CollectionDifference<NSManagedObject>.Change.remove(
                    offset: offset, element: context.object(with: id), associatedWith: other)
            }
        }
        guard let difference = CollectionDifference(mapped), let after = objects.applying(difference) else {
            return flaws.append("a difference of another list")
        }
        objects = after
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        flaws.append("told twice")
    }
}

/// Keeps the last snapshot.
final class SnapshotMirror: NSFetchedResultsControllerDelegate {
    private(set) var first: FetchedResultsSnapshot?
    private(set) var snapshot: FetchedResultsSnapshot?
    private(set) var changes = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
        if first == nil { first = snapshot }
        self.snapshot = snapshot
        changes += 1
    }
}
