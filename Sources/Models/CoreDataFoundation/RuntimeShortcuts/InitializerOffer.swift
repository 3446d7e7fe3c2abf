import CSwiftRuntime

/// Passes a reference to an initializer through the thread, where its public signature does not have a parameter for
/// it.
///
/// An offer is for objects of one class, since the initializers of stored properties may create others before the
/// initializer takes it. On the plain path nothing is offered, and the creator of an object sets the reference afterwards.
@usableFromInline
package struct InitializerOffer {
    @usableFromInline let offer: UnsafeMutablePointer<coredata_offer>

    @inlinable init(offer: UnsafeMutablePointer<coredata_offer>) { self.offer = offer }

    /// Lends a place for what initializers of a class are to take while `make` runs.
    @inlinable @inline(__always)
    package static func lending<Result>(to objectClass: AnyClass, _ make: (InitializerOffer) -> Result) -> Result {
        var offer = coredata_offer(content: nil, object_class: RuntimeShortcuts.address(of: objectClass))
        return withUnsafeMutablePointer(to: &offer) { offer in
            let former = coredata_exchange_offer(offer)
            defer { _ = coredata_exchange_offer(former) }
            return make(InitializerOffer(offer: offer))
        }
    }

    /// Offers a reference, which the initializer that takes it owns.
    @inlinable @inline(__always)
    package func put(_ content: UnsafeRawPointer) { offer.pointee.content = content }

    /// The reference that this thread offers to an object of a class; nil if none is offered, or it was taken.
    @inlinable @inline(__always)
    package static func taken(by objectClass: AnyClass) -> UnsafeRawPointer? {
        guard RuntimeShortcuts.areTaken else { return nil }
        return coredata_take_offered(RuntimeShortcuts.address(of: objectClass))
    }
}
