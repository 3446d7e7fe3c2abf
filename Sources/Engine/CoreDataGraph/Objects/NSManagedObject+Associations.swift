import CoreDataStore

/// Values that programs associate with managed objects, kept in a side table, since most objects have none.
extension NSManagedObject: AssociationHolder {
    private static let associations = SideTable<Transferred<AssociatedObjects>>()

    package var associatedObjects: AssociatedObjects? {
        get { flags.contains(.associated) ? Self.associations[self]?.value : nil }
        set {
            let former: Transferred<AssociatedObjects>?
            if let newValue {
                flags.insert(.associated)
                former = Self.associations.withValue(of: self) { value in
                    let former = value
                    value = Transferred(newValue)
                    return former
                }
            } else {
                flags.remove(.associated)
                former = Self.associations.remove(self)
            }
            withExtendedLifetime(former) {}
        }
    }

    /// Releases the associated values when the object is deallocated.
    func forgetAssociations() { Self.associations.remove(self) }
}
