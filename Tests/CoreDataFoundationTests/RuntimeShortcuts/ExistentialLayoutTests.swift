import Testing

@testable import CoreDataFoundation

/// What is read of existentials of type `Any?`.
@Suite struct ExistentialLayoutTests {
    private class Kind {}
    private final class Derived: Kind {}

    @Test("Existentials look as expected here, and not otherwise; the plain path does not look")
    func onlyTheExpectedIsFound() {
        #expect(ExistentialLayout.isAsExpected == RuntimeShortcuts.areTaken)
        for (reference, type) in [(8, 24), (0, 16), (0, 0), (24, 0), (16, 8)] {
            #expect(!ExistentialLayout(reference: reference, type: type).isFound)
        }
    }

    @Test("The plain path gives what the layout does")
    func plainPathIsAlike() {
        let (kind, derived) = (Kind(), Derived())
        for value in [kind, derived, derived as Kind, 7, "text", [1, 2], 2.5] as [Any] {
            let plain = ExistentialLayout.content(opening: value)
            let object = value as? Kind
            #expect(plain.type != 0)
            if let object {
                #expect(plain.reference == UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
            }
            guard ExistentialLayout.isAsExpected else { continue }
            let read = ExistentialLayout.expected.content(of: value)
            #expect(read.type == plain.type && (object == nil || read.reference == plain.reference))
        }
        withExtendedLifetime((kind, derived)) {}
    }
}
