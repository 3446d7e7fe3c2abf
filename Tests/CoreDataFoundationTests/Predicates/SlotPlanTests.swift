import TestBasics
import Testing

@testable import CoreDataFoundation

/// Conditions on slots beside the evaluator on the values that the slots stand for.
@Suite(.timeLimit(.minutes(20))) struct SlotPlanTests {
    /// One slot named text, another named number.
    private final class Reader: SlotReading {
        let text: UnsafeRawBufferPointer
        let number: SlotValue
        let object: Sample

        init(text: UnsafeRawBufferPointer, number: SlotValue, object: Sample) {
            self.text = text
            self.number = number
            self.object = object
        }

        var slotStamp: Int { 1 }
        var evaluatedObject: Any? { object }

        func slot(of key: String) -> PlainSlot? {
            switch key {
            case "text": PlainSlot(number: 0, kind: .text)
            case "number": PlainSlot(number: 1, kind: .real)
            default: nil
            }
        }

        func value(in slot: PlainSlot) -> SlotValue { slot.number == 0 ? .bytes(text) : number }
    }

    private func agrees(_ predicate: NSPredicate, _ bytes: [UInt8], _ number: Double) throws -> Bool {
        let object = Sample(["text": String(decoding: bytes, as: UTF8.self), "number": number])
        let expected = try Evaluator(object: object, variables: [:]).holds(predicate)
        return try bytes.withUnsafeBytes { bytes in
            var prepared = PreparedPredicate(predicate)
            return try prepared.holds(for: Reader(text: bytes, number: .real(number), object: object)) == expected
        }
    }

    @Test("texts with damaged UTF-8 in slots compare as the strings that they read as (PRD-14, PRD-17, HAZ-51)")
    func damagedTextsAgree() throws {
        let seed = TestSeed.first
        print("PRD-14: CORE_DATA_SEED=\(seed), 20,000 texts")
        var random = SeededRandom(seed: seed)
        let pieces: [[UInt8]] = [
            [0x61], [0x41], [0x62], [0xC3, 0xA4], [0xC3], [0xA4], [0xCC, 0x88], [0xE2, 0x82], [0xFF],
            [0xEF, 0xBF, 0xBD],
            [0xF0, 0x9F, 0x91, 0xA8], [0], [],
        ]
        func bytes(_ limit: Int) -> [UInt8] {
            (0..<random.next(below: limit)).flatMap { _ in pieces[random.next(below: pieces.count)] }
        }
        let operations = ["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "<", "LIKE"]
        for number in 0..<20_000 {
            let constant = String(decoding: bytes(4), as: UTF8.self)
            let operation = operations[random.next(below: operations.count)]
            let options = ["", "[c]", "[d]", "[cd]", "[n]", "[l]"][random.next(below: 6)]
            let predicate = try NSPredicate(parsing: "text \(operation)\(options) %@", arguments: [constant])
            let text = bytes(7)
            #expect(
                try agrees(predicate, text, 0),
                "CORE_DATA_SEED=\(seed), number \(number): \(predicate.formatString) \(text)")
        }
    }

    @Test("without the layout of existentials a plan answers alike (PRD-25)", arguments: [true, false])
    func plainPathAnswersAlike(readsLayout: Bool) throws {
        let predicate = try NSPredicate(parsing: "number == 2 AND text == 'abc'")
        Array("abc".utf8).withUnsafeBytes { bytes in
            let reader = Reader(text: bytes, number: .real(2), object: Sample([:]))
            let other = Reader(text: bytes, number: .real(3), object: Sample([:]))
            let plan = SlotPlan(
                predicate, for: reader, readsLayout: readsLayout && ExistentialLayout.isAsExpected)
            #expect(plan.answer(for: reader) == true && plan.answer(for: other) == false)
            for stranger in [nil, 7, "abc", 2.5, Sample([:]), [reader]] as [Any?] {
                #expect(plan.answer(for: stranger) == nil)
            }
        }
    }

    @Test("reals and numbers of all types compare in slots as elsewhere, not-a-number included (PRD-08)")
    func numbersAgree() throws {
        let values: [Double] = [0, -0.0, 0.1, 1, -1, 1e300, .infinity, -.infinity, .nan, 9_007_199_254_740_992, 1.5]
        let constants: [Any] = [
            0, 1, Int64.max, UInt64.max, 0.1, 1.5, Double.nan, Double.infinity, Decimal(string: "0.1") ?? 0, true,
            Float(0.1),
            NSNumber(value: 1), NSDecimalNumber(string: "1e120"), 9_007_199_254_740_993,
        ]
        for value in values {
            for constant in constants {
                for operation in ["==", "!=", "<", "<=", ">", ">="] {
                    let forward = try NSPredicate(parsing: "number \(operation) %@", arguments: [constant])
                    let backward = try NSPredicate(parsing: "%@ \(operation) number", arguments: [constant])
                    #expect(try agrees(forward, [], value), "\(value) \(operation) \(constant)")
                    #expect(try agrees(backward, [], value), "\(constant) \(operation) \(value)")
                }
                let range = try NSPredicate(parsing: "number BETWEEN {0.5, %@}", arguments: [constant])
                #expect(try agrees(range, [], value), "\(value) in 0.5...\(constant)")
            }
        }
    }

    @Test("conditions run in their order and end with the one that decides (PRD-19, PRD-24)")
    func conditionsRunInOrder() throws {
        for (format, expected) in [
            ("number == 1 AND other == 1", ["other"]), ("number == 2 AND other == 1", []),
            ("number == 1 OR other == 1", []), ("NOT (number == 1 AND other == 2) OR third == 3", ["other"]),
            ("(number == 2 OR other == 2) AND third == 3", ["other"]), ("NOT number == 1 OR NOT other == 1", ["other"]),
            ("TRUEPREDICATE OR other == 1", []), ("FALSEPREDICATE AND other == 1", []),
        ] {
            let object = Sample(["number": 1, "other": 1, "third": 3, "text": ""])
            let reader = Reader(text: UnsafeRawBufferPointer(start: nil, count: 0), number: .real(1), object: object)
            var prepared = try PreparedPredicate(NSPredicate(parsing: format))
            _ = try prepared.holds(for: reader)
            #expect(object.reads == expected, "\(format)")
        }
    }
}
