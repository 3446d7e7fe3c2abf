import Foundation

/// Sorts objects in memory as a store sorts rows: by descriptors in turn, nil first, equal ones in their former order.
enum ObjectSorting {
    static func sorted(
        _ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]
    ) throws -> [NSManagedObject] {
        try objects.enumerated().sorted { left, right in
            for descriptor in descriptors {
                switch try descriptor.order(of: left.element, right.element) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left.offset < right.offset
        }.map(\.element)
    }
}
