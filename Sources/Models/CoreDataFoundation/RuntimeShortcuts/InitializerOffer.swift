import CSwiftRuntime

/// What an initializer is handed beside its arguments, where its signature, being public, has no room for it: by way of the
/// thread.
///
/// An offer is to objects of one class, since others may be made before the initializer comes to it: by the initializers of
/// stored properties. On the plain path nothing is offered, and who makes an object gives it afterwards what it is to have.
package struct InitializerOffer {
    private let offer: UnsafeMutablePointer<coredata_offer>

    /// Lends a place for what initializers of a class are to take while `make` runs.
    @inline(__always)
    package static func lending<Result>(to objectClass: AnyClass, _ make: (InitializerOffer) -> Result) -> Result {
        var offer = coredata_offer(content: nil, object_class: RuntimeShortcuts.address(of: objectClass))
        return withUnsafeMutablePointer(to: &offer) { offer in
            let former = coredata_exchange_offer(offer)
            defer { _ = coredata_exchange_offer(former) }
            return make(InitializerOffer(offer: offer))
        }
    }

    /// Offers a reference, which the initializer that takes it owns.
    @inline(__always)
    package func put(_ content: UnsafeRawPointer) { offer.pointee.content = content }

    /// The reference that this thread offers to an object of a class; nil where there is none, or none any more.
    @inline(__always)
    package static func taken(by objectClass: AnyClass) -> UnsafeRawPointer? {
        guard RuntimeShortcuts.areTaken else { return nil }
        return coredata_take_offered(RuntimeShortcuts.address(of: objectClass))
    }
}
