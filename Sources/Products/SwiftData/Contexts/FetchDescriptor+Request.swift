import CoreDataGraph
import Foundation

extension FetchDescriptor {
    /// Makes the request of Core Data.
    ///
    /// - Throws: `SwiftDataError` that names the part of the predicate, the key path or the sort descriptor that no
    ///   store can answer.
    func makeRequest(_ coordinator: NSPersistentStoreCoordinator) throws -> NSFetchRequest<NSFetchRequestResult> {
        let plan = ModelPlan.of(T.self)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: plan.name)
        request.predicate = try predicate.map { try PredicateTranslation.predicate($0, in: coordinator) }
        request.sortDescriptors = try sortBy.map { try $0.translated(plan) }
        request.fetchLimit = try Self.checked(fetchLimit, "fetchLimit")
        request.fetchOffset = try Self.checked(fetchOffset, "fetchOffset")
        request.includesPendingChanges = includePendingChanges
        request.renewsOlderObjects = true
        request.relationshipKeyPathsForPrefetching = try relationshipKeyPathsForPrefetching.map {
            try plan.expectRelationship(at: $0)
        }
        if !propertiesToFetch.isEmpty {
            request.propertiesToFetch = try propertiesToFetch.map { try plan.expectName(of: $0) }
        }
        return request
    }

    private static func checked(_ number: Int?, _ name: String) throws -> Int {
        guard let number else { return 0 }
        guard number >= 0 else {
            throw SwiftDataError.unsupportedPredicate.stating(
                "\(name) of a fetch is \(number), and may not be negative.")
        }
        return number
    }
}

extension ModelPlan {
    func expectName(of path: AnyKeyPath) throws -> String {
        guard let name = name(of: path) else {
            throw SwiftDataError.unsupportedKeyPath.stating(
                "\(path) does not lead to a persisted property of '\(self.name)'.")
        }
        return name
    }

    func expectRelationship(at path: AnyKeyPath) throws -> String {
        let name = try expectName(of: path)
        switch property(at: path)?.kind {
        case .toOne, .toMany: return name
        default:
            throw SwiftDataError.unsupportedKeyPath.stating(
                "'\(self.name).\(name)' is an attribute, and cannot be prefetched: name a relationship.")
        }
    }
}

extension SortDescriptor where Compared: PersistentModel {
    fileprivate func translated(_ plan: ModelPlan) throws -> NSSortDescriptor {
        guard let path = keyPath, let property = plan.property(at: path) else {
            throw SwiftDataError.unsupportedSortDescriptor.stating(
                "A fetch of '\(plan.name)' is sorted by \(keyPath.map { "\($0)" } ?? "a comparison"), which is not one of "
                    + "its persisted properties.")
        }
        switch property.kind {
        case .simple: return NSSortDescriptor(key: property.name, ascending: order == .forward)
        default:
            throw SwiftDataError.unsupportedSortDescriptor.stating(
                "'\(plan.name).\(property.name)' has no order: sort by an attribute of a simple type.")
        }
    }
}
