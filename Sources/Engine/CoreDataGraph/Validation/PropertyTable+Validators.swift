import CoreDataStore

extension PropertyTable.Property {
    /// The property with a rule that is a method as Apple's framework finds by name: `.validated(by: Hero.validateAge)`.
    ///
    /// The method replaces the value by setting `pointee`, or throws. Values come as Foundation's objects, so that
    /// `pointee as? String`, `as? Date` and `as? NSNumber` work alike on every platform.
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
