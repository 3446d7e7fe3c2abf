import CoreDataFoundation
import TestBasics
import Testing

/// Numbers that are set by key in properties of other types of numbers.
struct NumbersByKeyTests {
    /// A class as the build plugin makes it answer for its keys.
    final class Meter: MutableKeyValueCoding {
        var short: Int16 = 1
        var perhaps: Int32?
        var large: UInt64 = 1
        var flag = false
        var ratio: Float = 1
        var real = 1.0
        var price = Decimal(1)
        var name = ""

        func codedValue(forKey key: String) throws -> Any? {
            switch key {
            case "short": short
            case "perhaps": perhaps
            case "large": large
            case "flag": flag
            case "ratio": ratio
            case "real": real
            case "price": price
            case "name": name
            default: throw undefinedKey(key)
            }
        }

        func setCodedValue(_ value: Any?, forKey key: String) throws {
            switch key {
            case "short": try setCodedValue(value, forKey: key, at: \Meter.short)
            case "perhaps": try setCodedValue(value, forKey: key, at: \Meter.perhaps)
            case "large": try setCodedValue(value, forKey: key, at: \Meter.large)
            case "flag": try setCodedValue(value, forKey: key, at: \Meter.flag)
            case "ratio": try setCodedValue(value, forKey: key, at: \Meter.ratio)
            case "real": try setCodedValue(value, forKey: key, at: \Meter.real)
            case "price": try setCodedValue(value, forKey: key, at: \Meter.price)
            case "name": try setCodedValue(value, forKey: key, at: \Meter.name)
            default: throw undefinedKey(key)
            }
        }
    }

    @Test("a number of any type becomes the property's type of number (KVC-05)")
    func numberOfAnyTypeBecomesPropertysTypeOfNumber() throws {
        let cases: [(String, Any, String)] = [
            ("short", 5, "5"), ("short", NSNumber(value: 6), "6"), ("short", Int64(-32768), "-32768"),
            ("short", UInt8(7), "7"), ("short", 5.75, "5"), ("short", -5.75, "-5"), ("short", true, "1"),
            ("short", Decimal(9), "9"), ("short", NSDecimalNumber(string: "-9.5"), "-9"),
            ("perhaps", 5, "5"), ("perhaps", Int16(6), "6"), ("perhaps", 7 as Any? as Any, "7"),
            ("large", UInt64.max, "18446744073709551615"), ("large", 8, "8"),
            ("large", Decimal(UInt64.max), "18446744073709551615"),
            ("flag", 1, "true"), ("flag", 0, "false"), ("flag", 5, "true"), ("flag", 0.5, "true"),
            ("ratio", 0.1, "0.1"), ("ratio", 3, "3.0"), ("ratio", Double.infinity, "inf"),
            ("ratio", Decimal(0.5), "0.5"),
            ("real", 5, "5.0"), ("real", Float(0.5), "0.5"), ("real", Int64.max, "9.223372036854776e+18"),
            ("real", NSDecimalNumber(string: "0.1"), "0.1"),
            ("price", 5, "5"), ("price", NSNumber(value: 0.1), "0.1"),
        ]
        for (key, value, expected) in cases {
            let meter = Meter()
            try meter.setCodedValue(value, forKey: key)
            let found = try meter.codedValue(forKey: key)
            #expect(found.map { "\($0)" } == expected, "\(key) = \(value) as \(type(of: value))")
        }
        let meter = Meter()
        meter.setValue(5 as Int, forKey: "perhaps")
        meter.setValue(NSNull(), forKey: "perhaps")
        #expect(meter.perhaps == nil)
    }

    @Test("a number out of range and a value of another type are refused, and the property stays (KVC-05)")
    func numberOutOfRangeAndValueOfAnotherTypeAreRefused() throws {
        let cases: [(String, Any?, String)] = [
            ("short", 40_000, "Int outside the range of Int16"),
            ("short", Double.nan, "Double outside the range of Int16"),
            ("short", UInt64.max, "UInt64 outside the range of Int16"), ("short", "5", "String"), ("short", nil, "nil"),
            ("short", NSNull(), "nil"), ("large", -1, "Int outside the range of UInt64"),
            ("perhaps", Int64.max, "Int64 outside the range of Optional<Int32>"), ("perhaps", "5", "String"),
            ("ratio", 1e300, "Double outside the range of Float"), ("flag", "true", "String"),
            ("price", Double.infinity, "Double outside the range of Decimal"), ("name", 5, "Int"),
        ]
        for (key, value, type) in cases {
            let meter = Meter()
            let before = "\(try meter.codedValue(forKey: key) as Any)"
            let error = #expect(throws: ExpressionError.self) { try meter.setCodedValue(value, forKey: key) }
            #expect(
                error == .wrongType(operation: "the property \"\(key)\" of Meter", type: type),
                "\(key) = \(value as Any)")
            #expect("\(try meter.codedValue(forKey: key) as Any)" == before)
        }
    }

    @Test("a number out of range stops the unguarded setter, which says why (KVC-05)")
    func numberOutOfRangeStopsUnguardedSetter() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Meter().setValue(40_000, forKey: "short")
        }
        #expect(
            result.standardErrorText.contains(
                "the property \"short\" of Meter cannot use a value of type Int outside the range of Int16"))
    }
}
