import CoreDataStore

extension PropertyTable.Property {
    /// Returns the property with a validation method of the form that Apple's framework finds by its name:
    /// `.validated(by: Hero.validateAge)`.
    ///
    /// The method can replace the value by setting `pointee`, or throw. Values are Foundation's objects, so that
    /// `pointee as? String`, `as? Date` and `as? NSNumber` give the same results on every platform.
    public func validated<Object: NSManagedObject>(
        by method: @escaping @Sendable (Object) -> (AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) -> PropertyTable.Property {
        validated { object, value in
            guard let object = object as? Object else { return }
            let given = value.map { $0 as AnyObject }
            var reference = given
            try withUnsafeMutablePointer(to: &reference) { pointer in
                try method(object)(AutoreleasingUnsafeMutablePointer(pointer))
            }
            if reference !== given { value = reference is NSNull ? nil : reference }
        }
    }
}
