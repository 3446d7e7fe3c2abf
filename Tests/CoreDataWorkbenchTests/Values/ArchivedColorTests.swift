import CoreData
import CoreDataWorkbench
import Testing

@Suite("Colours in archives")
struct ArchivedColorTests {
    private static func archive(_ className: String, _ fields: [String: PropertyList]) -> Data {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([
                .string("$null"), .dictionary(fields.merging(["$class": .uid(2)]) { $1 }),
                .dictionary(["$classname": .string(className), "$classes": .array([.string(className)])]),
            ]),
        ]).binaryData
    }

    @Test("colours of AppKit and UIKit are their components (BRW-41)")
    func coloursOfAppKitAndUIKitAreTheirComponents() {
        let red: [String: PropertyList] = ["UIRed": .real(1), "UIGreen": .real(0.25), "UIBlue": .integer(0)]
        #expect(ArchivedColor(Self.archive("UIColor", red))?.components == [1, 0.25, 0, 1])
        let clear = red.merging(["UIAlpha": .real(0.5)]) { $1 }
        #expect(ArchivedColor(Self.archive("UIDeviceRGBColor", clear))?.components == [1, 0.25, 0, 0.5])
        let white: [String: PropertyList] = ["UIWhite": .real(0.5), "UIAlpha": .real(1)]
        #expect(ArchivedColor(Self.archive("UIColor", white))?.components == [0.5, 0.5, 0.5, 1])
        let mac: [String: PropertyList] = ["NSColorSpace": .integer(1), "NSRGB": .data(Data("0.1 0.2 0.3\0".utf8))]
        #expect(ArchivedColor(Self.archive("NSColor", mac))?.components == [0.1, 0.2, 0.3, 1])
        let gray: [String: PropertyList] = ["NSColorSpace": .integer(3), "NSWhite": .data(Data("0.75 0.5\0".utf8))]
        #expect(ArchivedColor(Self.archive("NSColor", gray))?.components == [0.75, 0.75, 0.75, 0.5])
    }

    @Test("archives that only look like colours give nil, and numbers beyond the range become its ends (BRW-41)")
    func whatOnlyLooksLikeColourGivesNil() {
        let half: [String: PropertyList] = ["UIRed": .real(1), "UIGreen": .real(0.25)]
        #expect(ArchivedColor(Self.archive("UIColor", half)) == nil)
        #expect(ArchivedColor(Self.archive("UIColor", [:])) == nil)
        #expect(ArchivedColor(Self.archive("App.Hero", ["UIWhite": .real(1)])) == nil)
        let text: [String: PropertyList] = ["NSRGB": .data(Data("1 2 x\0".utf8))]
        #expect(ArchivedColor(Self.archive("NSColor", text)) == nil)
        #expect(ArchivedColor(Self.archive("NSColor", ["NSRGB": .data(Data())])) == nil)
        #expect(ArchivedColor(Self.archive("UIColor", ["UIWhite": .real(.nan)])) == nil)
        #expect(
            ArchivedColor(Self.archive("UIColor", ["UIWhite": .real(7), "UIAlpha": .real(-1)]))?.components == [
                1, 1, 1, 0,
            ])
        for data in [Data(), Data("bplist00".utf8), Data(repeating: 0, count: 20_000)] {
            #expect(ArchivedColor(data) == nil)
        }
    }
}
