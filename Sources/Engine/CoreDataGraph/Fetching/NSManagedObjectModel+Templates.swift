import CoreDataStore

extension NSManagedObjectModel {
    /// The fetch request templates of the model by name; each a copy, which may be changed.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] {
        var requests = templatesByName.mapValues { $0.makeRequest(in: self) }
        for (name, object) in templateObjectsByName { requests[name] = request(object) }
        return requests
    }

    /// A copy of the fetch request template with a name; nil if the model lacks it.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? {
        templateObjectsByName[name].map(request) ?? templatesByName[name]?.makeRequest(in: self)
    }

    /// Stores a copy of a fetch request in the model under a name; nil removes it. Stops the program once the model is
    /// in use.
    public func setFetchRequestTemplate(_ fetchRequestTemplate: UntypedFetchRequest?, forName name: String) {
        templatesByName[name] = fetchRequestTemplate.map { FetchRequestTemplate($0) }
        templateObjectsByName[name] = fetchRequestTemplate?.copy() as? NSObject
    }

    /// The fetch request with a name, with values for its variables, which are named without the dollar sign.
    ///
    /// A managed object is replaced by its identifier. A variable without a value remains; executing the request then
    /// fails. Nil if the model lacks a request of this name.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? {
        guard let request = fetchRequestTemplate(forName: name) else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        return request
    }

    /// A request that was set in code, with the entity of this model, which may be a copy or a merged one.
    private func request(_ object: NSObject) -> NSFetchRequest<NSFetchRequestResult> {
        let request = Self.request(object)
        if let entity = request.entityName.flatMap({ entitiesByName[$0] }) { request.entity = entity }
        return request
    }

    /// An untyped request with the settings of a request of any type.
    fileprivate static func request(_ object: NSObject) -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        (object as? UntypedFetchRequest)?.copyValues(to: request)
        return request
    }
}

extension NSFetchedPropertyDescription {
    /// The fetch request whose result is the property's value. It is a copy: set it again after changing it.
    ///
    /// In its predicate `$FETCH_SOURCE` is the object that has the property and `$FETCHED_PROPERTY` this description.
    public var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        get {
            fetchRequestObject.map(NSManagedObjectModel.request)
                ?? fetchRequestTemplate?.makeRequest(in: entity?.managedObjectModel)
        }
        set {
            fetchRequestTemplate = newValue.map { FetchRequestTemplate($0) }
            fetchRequestObject = newValue?.copy() as? NSObject
        }
    }
}
