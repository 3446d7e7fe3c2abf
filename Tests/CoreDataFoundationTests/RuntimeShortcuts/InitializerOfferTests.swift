import Testing

@testable import CoreDataFoundation

/// References that initializers take from the thread that they run on.
@Suite struct InitializerOfferTests {
    private final class One {}
    private final class Other {}

    @Test("An offer is to one class, for once, and as long as it stands; on the plain path nothing is taken")
    func offersAreTaken() {
        let reference = UnsafeRawPointer(Unmanaged.passUnretained(self.kept).toOpaque())
        #expect(InitializerOffer.taken(by: One.self) == nil)
        InitializerOffer.lending(to: One.self) { offer in
            offer.put(reference)
            InitializerOffer.lending(to: Other.self) { inner in
                inner.put(reference)
                #expect(InitializerOffer.taken(by: One.self) == nil)
            }
            #expect(InitializerOffer.taken(by: Other.self) == nil)
            #expect(InitializerOffer.taken(by: One.self) == (RuntimeShortcuts.areTaken ? reference : nil))
            #expect(InitializerOffer.taken(by: One.self) == nil)
            offer.put(reference)
        }
        #expect(InitializerOffer.taken(by: One.self) == nil)
    }
    private let kept = One()
}
