import CoreDataGraph

/// The descriptor of the fetch that a context makes just now, for stores that take descriptors.
enum PassedDescriptor {
    @TaskLocal static var current: Box?

    struct Box: @unchecked Sendable {
        let descriptor: Any
        let request: NSFetchRequest<NSFetchRequestResult>

        /// Whether a request is the one of the descriptor: the graph makes others of its own for one fetch.
        func describes(_ other: NSFetchRequest<NSFetchRequestResult>) -> Bool {
            other.entityName == request.entityName && other.predicate === request.predicate
                && other.fetchLimit == request.fetchLimit && other.fetchOffset == request.fetchOffset
                && (other.sortDescriptors ?? []) == (request.sortDescriptors ?? [])
        }
    }
}
