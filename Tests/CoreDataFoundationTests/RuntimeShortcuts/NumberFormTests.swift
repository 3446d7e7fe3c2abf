import Testing

@testable import CoreDataFoundation

/// Numbers that are copies of another one with other bits.
@Suite struct NumberFormTests {
    private static let integers: [Int64] = [
        0, 1, -1, 2, 12, 13, 126, 127, 128, 255, -128, 32_767, -32_768, 65_536, 2_147_483_647, 2_147_483_648,
        -2_147_483_649,
        9_007_199_254_740_993, .max, .min,
    ]
    private static let reals: [Double] = [
        0, -0.0, 1, -1, 0.5, .pi, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
        -.infinity, .nan,
        .signalingNaN, 9_007_199_254_740_992,
    ]

    @Test("whole numbers are those that Foundation makes (FET-15)", arguments: integers)
    func integersAreAlike(value: Int64) throws {
        try expectAlike(.holding(value), NSNumber(value: value))
        #expect(NSNumber.holding(value).int64Value == value && NSNumber.holding(value) as? Int64 == value)
    }

    @Test("real numbers are those that Foundation makes (FET-15)", arguments: reals)
    func realsAreAlike(value: Double) throws {
        try expectAlike(.holding(value), NSNumber(value: value))
        #expect(NSNumber.holding(value).doubleValue.bitPattern == NSNumber(value: value).doubleValue.bitPattern)
    }

    private func expectAlike(_ number: NSNumber, _ plain: NSNumber) throws {
        #expect(type(of: number) == type(of: plain) && type(of: number) == NSNumber.self)
        #expect(number.isEqual(plain) == plain.isEqual(plain) && plain.isEqual(number) == plain.isEqual(plain))
        #expect(number.hash == plain.hash && number.stringValue == plain.stringValue)
        #expect(number.description == plain.description && number.floatValue.bitPattern == plain.floatValue.bitPattern)
        #expect(String(cString: number.objCType) == String(cString: plain.objCType))
        #expect(number.compare(plain) == plain.compare(plain) && number.boolValue == plain.boolValue)
        #expect(number.int8Value == plain.int8Value && number.uint64Value == plain.uint64Value)
        #expect((number as? Int) == (plain as? Int) && (number as? Bool) == (plain as? Bool))
        #expect(
            (number as? Int16) == (plain as? Int16) && (number as? Float)?.bitPattern == (plain as? Float)?.bitPattern)
        #expect((number as Any is Bool) == (plain as Any is Bool))
        // Archives differ in the order of their keys, so what they hold is compared.
        let archive = try NSKeyedArchiver.archivedData(withRootObject: number, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSNumber.self, from: archive)
        #expect(read?.stringValue == plain.stringValue && read?.hash == plain.hash)
        guard plain.doubleValue.isFinite else { return }
        #expect(number.decimalValue == plain.decimalValue)
        let json = try JSONSerialization.data(withJSONObject: [number])
        #expect(json == (try JSONSerialization.data(withJSONObject: [plain])))
        #expect(Set([number, plain]).count == 1 && NSDictionary(object: "x", forKey: number)[plain] as? String == "x")
    }

    @Test("Where the content of the example is not its value, Foundation makes the numbers")
    func otherNumbers() {
        let form = NumberForm(like: NSNumber(value: 5 as Int64), bits: 6)
        #expect(!form.isKnown && form.number(7 as Int64) == 7 && form.number(0.5) == 0.5)
        #expect(!NumberForm(like: NSDecimalNumber(value: 5), bits: 5).isKnown)
    }

    @Test("A number goes with its last reference, and a million are made and let go of by two threads")
    func numbersAreLetGo() async {
        weak var gone: NSNumber?
        do {
            let number = NSNumber.holding(123_456 as Int64)
            gone = number
            withExtendedLifetime(number) { #expect(gone != nil) }
        }
        #expect(gone == nil)
        await withTaskGroup(of: Int64.self) { group in
            for half in 0..<2 as Range<Int64> {
                group.addTask {
                    let numbers = (0..<500_000).map { NSNumber.holding($0 * 2 + half) }
                    return numbers.reduce(0) { $0 + $1.int64Value }
                }
            }
            var sum: Int64 = 0
            for await part in group { sum += part }
            #expect(sum == 499_999_500_000)
        }
    }
}
