import CoreDataStore

/// Settings of a fetched property in the model's user info, for which the model editor has no fields.
///
/// Without sort descriptors in the fetch request, and without a display order here, the objects have no particular
/// order.
extension NSFetchedPropertyDescription {
    /// The user-info key for the sort order, such as `name, -level`. It takes precedence over the fetch request's sort
    /// descriptors.
    public static let displayOrderUserInfoKey = "DisplayOrder"

    /// The user-info key for the greatest number of objects. It takes precedence over the limit of the fetch request.
    public static let fetchLimitUserInfoKey = "FetchLimit"

    /// The user-info key that marks a property, with the value `YES`, as live.
    public static let liveUserInfoKey = "Live"

    /// Whether the value is fetched at each access, rather than cached until the owner is refreshed.
    ///
    /// A live value includes unsaved changes of the owner's context and what others have saved. Apple's framework has
    /// no live properties.
    public var isLive: Bool { isMarked(Self.liveUserInfoKey) }

    /// The fetch request of the property for an owner, with the settings in the user info.
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
