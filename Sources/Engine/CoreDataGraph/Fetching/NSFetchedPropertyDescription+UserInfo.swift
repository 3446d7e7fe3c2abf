import CoreDataStore

/// What a model can say of a fetched property in its user info, for which its editor has no field.
///
/// Without an order, in the fetch request or here, the objects come in no particular order.
extension NSFetchedPropertyDescription {
    /// The user-info key for the order of the objects: `name, -level`. It goes before the order of the fetch request.
    public static let displayOrderUserInfoKey = "DisplayOrder"

    /// The user-info key for the greatest number of objects. It goes before the limit of the fetch request.
    public static let fetchLimitUserInfoKey = "FetchLimit"

    /// The user-info key that marks a property, with the value `YES`, as live.
    public static let liveUserInfoKey = "Live"

    /// Whether the value follows changes: it is fetched at each reading, rather than kept until the owner is refreshed.
    ///
    /// Unsaved changes of the owner's context count, and so does what others have saved. Apple's framework has no such
    /// properties.
    public var isLive: Bool { isMarked(Self.liveUserInfoKey) }

    /// The property's fetch for an owner, with what the user info says of it.
    func request(for owner: NSManagedObject) -> NSFetchRequest<NSFetchRequestResult>? {
        guard let request = fetchRequest else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": owner, "FETCHED_PROPERTY": self,
        ])
        request.resultType = .managedObjectResultType
        let order = declaredOrder(forKey: Self.displayOrderUserInfoKey)
        if !order.isEmpty { request.sortDescriptors = order }
        if let limit = declaredLimit { request.fetchLimit = limit }
        return request
    }

    private var declaredLimit: Int? {
        let value = userInfo?[Self.fetchLimitUserInfoKey]
        let limit = value as? Int ?? (value as? String).flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        return limit.flatMap { $0 > 0 ? $0 : nil }
    }
}
