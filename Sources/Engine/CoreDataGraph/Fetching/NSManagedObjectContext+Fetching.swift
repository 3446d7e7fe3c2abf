import CoreDataStore

extension NSManagedObjectContext {
    /// The objects, identifiers, dictionaries or numbers that a request finds, including the context's unsaved changes.
    ///
    /// Dictionaries have the values of the stores: as in Apple's framework, they do not include unsaved changes, not
    /// even those of the context's parent.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for an unknown entity, a predicate or sort descriptor that the store
    ///   cannot execute, or a store that cannot be read.
    public func fetch<ResultType: NSFetchRequestResult>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
        guard mayOverrideFetching else { return try results(of: request) }
        let found = try overridableFetching.fetch(request.ofAnyResults)
        guard request.resultType == .managedObjectResultType else { return found.compactMap { $0 as? ResultType } }
        return try typed(found.compactMap { $0 as? NSManagedObject })
    }

    private func results<ResultType: NSFetchRequestResult>(
        of request: NSFetchRequest<ResultType>
    ) throws -> [ResultType] {
        switch request.resultType {
        case .managedObjectResultType:
            let execution = try FetchExecution(request, in: self)
            let objects = try execution.objects()
            // Checks the entities' classes instead of each object, since few objects are still in the processor's
            // cache.
            return !registry.hasOtherClasses && execution.finds(only: ResultType.self)
                ? RuntimeShortcuts.array(objects, as: ResultType.self) : try typed(objects)
        case .managedObjectIDResultType: return Self.matching(try FetchExecution(request, in: self).objectIDs())
        case .countResultType: return Self.matching([NSNumber(value: try FetchExecution(request, in: self).count())])
        case .dictionaryResultType: return Self.matching(try FetchExecution(request, in: self).dictionaries())
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A fetch has one result type, not several: \(request.resultType.rawValue).")
        }
    }

    /// The results of the type that the caller requested.
    private static func matching<Result: AnyObject, Wanted>(_ results: [Result]) -> [Wanted] {
        if Result.self == Wanted.self { return RuntimeShortcuts.array(results, as: Wanted.self) }
        return results.compactMap { $0 as? Wanted }
    }

    /// The number of objects that a request finds.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func count<ResultType: NSFetchRequestResult>(for request: NSFetchRequest<ResultType>) throws -> Int {
        guard mayOverrideFetching else { return try FetchExecution(request, in: self).count() }
        return try overridableFetching.count(for: request.ofAnyResults)
    }

    func find(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] { try results(of: request) }

    func findCount(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
        try FetchExecution(request, in: self).count()
    }

    /// Whether a subclass may override the untyped methods, which must then be called; they convert each result to
    /// `Any`.
    private var mayOverrideFetching: Bool { type(of: self) != NSManagedObjectContext.self }

    private var overridableFetching: any OverridableFetching { self }

    /// Returns objects as the requested type; throws if an object's class is another one.
    func typed<ResultType: NSFetchRequestResult>(_ objects: [NSManagedObject]) throws -> [ResultType] {
        var former: AnyClass?
        for object in objects where type(of: object) != former {
            former = type(of: object)
            guard object is ResultType else {
                throw CoreDataError.make(
                    NSCoreDataError, "A fetched object is a \(type(of: object)), not a \(ResultType.self).",
                    hint: "Check the entity's class in the model, or fetch as NSManagedObject.")
            }
        }
        return RuntimeShortcuts.array(objects, as: ResultType.self)
    }
}

/// The methods that subclasses override, called through a protocol that does not have the generic methods of the same
/// name.
private protocol OverridableFetching {
    func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any]
    func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int
}

extension NSManagedObjectContext: OverridableFetching {}

extension NSFetchRequest {
    /// The request without its type of results, as overrides of `fetch(_:)` get it.
    fileprivate var ofAnyResults: NSFetchRequest<NSFetchRequestResult> { retyped() }
}
