import CSwiftRuntime

/// Passes a reference to an initializer whose public signature has no parameter for it, by way of the thread.
///
/// An offer is for objects of one class, since the initializers of stored properties may create others before the
/// initializer takes it. On the plain path nothing is offered, and the creator of an object sets the reference afterwards.
@usableFromInline
package struct InitializerOffer {
    @usableFromInline let offer: UnsafeMutablePointer<coredata_offer>

    @inlinable init(offer: UnsafeMutablePointer<coredata_offer>) { self.offer = offer }

    /// Runs `make` with an offer from which the initializers of a class take a reference on this thread.
    @inlinable @inline(__always)
    package static func lending<Result>(to objectClass: AnyClass, _ make: (InitializerOffer) -> Result) -> Result {
        var offer = coredata_offer(content: nil, object_class: RuntimeShortcuts.address(of: objectClass))
        return withUnsafeMutablePointer(to: &offer) { offer in
            let former = coredata_exchange_offer(offer)
            defer { _ = coredata_exchange_offer(former) }
            return make(InitializerOffer(offer: offer))
        }
    }

    /// Offers a reference; the initializer that takes the reference owns it.
    @inlinable @inline(__always)
    package func put(_ content: UnsafeRawPointer) { offer.pointee.content = content }

    /// Takes the reference that this thread offers to an object of a class; nil if none is offered or it was taken.
    @inlinable @inline(__always)
    package static func taken(by objectClass: AnyClass) -> UnsafeRawPointer? {
        guard RuntimeShortcuts.areTaken else { return nil }
        return coredata_take_offered(RuntimeShortcuts.address(of: objectClass))
    }
}
