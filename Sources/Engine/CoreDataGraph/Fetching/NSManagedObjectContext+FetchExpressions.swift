import CoreDataStore

extension NSManagedObjectContext: FetchRequestExecution {
    /// The results of the request in `FETCH(request, context, …)`, or their number if `isCountOnly`.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for an argument that is not a fetch request, and what `fetch(_:)`
    ///   throws.
    package func result(ofRequest request: Any?, isCountOnly: Bool) throws -> Any {
        guard let request = request as? UntypedFetchRequest else {
            throw CoreDataError.make(NSCoreDataError, "The first argument of FETCH is not a fetch request.")
        }
        let execution = try FetchExecution(request, in: self)
        guard !isCountOnly else { return try execution.count() }
        switch request.resultType {
        case .managedObjectIDResultType: return try execution.objectIDs()
        case .countResultType: return [try execution.count()]
        default: return try execution.objects()
        }
    }
}
