import CoreDataFoundation
import Testing

/// Values of every type that Swift code passes for `%@`.
struct ArgumentTests {
    private enum Status: Int16 {
        case open = 3
        case closed = 4
    }
    private enum Kind: String { case cat, dog }

    @Test("numbers of every Swift type are the numbers they hold (PRD-02)")
    func numbersOfEveryType() throws {
        let numbers: [Any] = [
            Int8(7), Int16(7), Int32(7), Int64(7), 7, UInt8(7), UInt16(7), UInt32(7), UInt64(7), UInt(7), Int128(7),
            UInt128(7), Float(7), 7.0, CGFloat(7), Decimal(7), NSNumber(value: 7), NSDecimalNumber(string: "7"),
            Float16(7), Optional(7) as Any,
        ]
        for number in numbers {
            #expect(try holds("n == %@ AND %@ == 7", number, number, on: ["n": 7]), "\(type(of: number))")
            let predicate = NSPredicate(format: "n == %@", number)
            #expect(try NSPredicate(parsing: predicate.formatString) == predicate, "\(predicate.formatString)")
        }
        #expect(try holds("%@ > %@", Int128(UInt64.max) * 2, UInt64.max, on: nil))
    }

    @Test("parts of strings are strings, enumerations their raw values, alone and in lists (PRD-02)")
    func textsAndEnumerations() throws {
        let object: [String: Any] = ["name": "Ann", "status": 3, "kind": "dog"]
        #expect(try holds("name BEGINSWITH %@ AND name ENDSWITH %@", "Angela".prefix(2), Character("n"), on: object))
        #expect(try holds("name == %@", NSString(string: "Ann"), on: object))
        #expect(try holds("status == %@ AND kind == %@", Status.open, Kind.dog, on: object))
        #expect(try holds("status IN %@", [Status.closed, .open], on: object))
        #expect(try !holds("status IN %@", [Status.closed], on: object))
        #expect(try holds("kind IN %@", Set([Kind.dog, .cat]), on: object))
        #expect(NSPredicate(format: "kind IN %@", Set([Kind.dog, .cat])).formatString == "kind IN {\"cat\", \"dog\"}")
        #expect(try holds("status == %d", Status.open.rawValue, on: object))
        #expect(try holds("status IN %@", [nil, Status.open] as [Status?], on: object))
    }

    @Test("slices and the keys of a dictionary are lists (PRD-02, PRD-21)")
    func slicesAreLists() throws {
        for list in [[1, 2, 3].dropFirst(), [2, 3][...], [1: "a", 2: "b"].keys, ["a": 2].values] as [Any] {
            #expect(try holds("n IN %@", list, on: ["n": 2]), "\(type(of: list))")
            #expect(try !holds("n IN %@", list, on: ["n": 9]), "\(type(of: list))")
        }
    }

    @Test("a closed range is the two bounds of BETWEEN (PRD-02)")
    func closedRangeIsItsBounds() throws {
        #expect(NSPredicate(format: "n BETWEEN %@", 1...5).formatString == "n BETWEEN {1, 5}")
        let day = Date(timeIntervalSinceReferenceDate: 0)
        for (number, expected) in [(0, false), (1, true), (5, true), (6, false)] {
            #expect(try holds("n BETWEEN %@", 1...5, on: ["n": number]) == expected)
        }
        #expect(try holds("d BETWEEN %@", day...day.addingTimeInterval(60), on: ["d": day]))
        #expect(try holds("s BETWEEN[c] %@", "A"..."C", on: ["s": "b"]))
        #expect(try holds("n BETWEEN %@", [1, 5], on: ["n": 5]))
    }

    @Test("a text without arguments is taken as it is; its quotes are the caller's (PRD-05)")
    func textWithoutArguments() throws {
        let name = "O'Brien"
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "name == '\(name)'") }
        #expect(try holds("name == \"\(name)\"", on: ["name": name]))
        #expect(try holds("name == %@", name, on: ["name": name]))
        #expect(NSPredicate(format: "percent == '50%'").evaluate(with: ["percent": "50%"]))
    }

    @Test("a variable without a value stops with its name, or throws it (PRD-07)")
    func missingVariableIsNamed() async throws {
        #expect(throws: ExpressionError.unboundVariable("LIMIT")) { try holds("n > $LIMIT", on: ["n": 1]) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "n > $LIMIT").evaluate(with: ["n": 1], substitutionVariables: ["OTHER": 1])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("no value was given for the variable $LIMIT"))
    }

    @Test("a value that brings a variable is not captured by a subquery's own of the same name (PRD-07)")
    func subqueryCapturesNothing() throws {
        let template = NSPredicate(format: "SUBQUERY(list, $x, $x > $limit AND $x < $x_1).@count == 1")
        let bound = template.withSubstitutionVariables(["limit": NSExpression(format: "$x + 1"), "x": 100])
        #expect(
            bound.formatString == "SUBQUERY(list, $x_2, $x_2 > $x + 1 AND $x_2 < $x_1).@count == 1")
        #expect(bound.variableNames == ["x", "x_1"])
        #expect(try evaluation(of: bound, on: ["list": [1, 2, 3, 9]], variables: ["x": 1, "x_1": 5]))
        let nested = NSPredicate(
            format: "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == $x AND $y > $z).@count > 0).@count > 0")
        let values = nested.withSubstitutionVariables(["x": 1, "y": 2, "z": 3])
        #expect(
            values.formatString
                == "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == $x AND $y > 3).@count > 0).@count > 0")
        #expect(try NSPredicate(parsing: values.formatString) == values)
    }

    @Test("a quoted token whose argument is given all the same gives two warnings, and holds for the literal (PRD-04)")
    func quotedTokenWithItsArgument() throws {
        let (predicate, warnings) = try PredicateParser.predicateAndWarnings(
            from: "itemName CONTAINS '%@'", arguments: ["milk"])
        #expect(warnings.count == 2)
        #expect(predicate.evaluate(with: ["itemName": "100 %@"]) && !predicate.evaluate(with: ["itemName": "milk"]))
    }

    @Test("lower-case operators equal the others; keywords are keys when escaped (PRD-18)")
    func keywordsAsKeys() throws {
        #expect(NSPredicate(format: "name contains[cd] %@", "x") == NSPredicate(format: "name CONTAINS[cd] %@", "x"))
        for word in ["and", "IN", "Contains", "fetch", "any", "nil", "first", "truepredicate", "cast"] {
            let object = [word: 1, "a": 0]
            #expect(try holds("#\(word) == 1 AND %K == 1", word, on: object), "\(word)")
            let predicate = NSPredicate(format: "%K == 1", word)
            #expect(try NSPredicate(parsing: predicate.formatString) == predicate)
        }
    }
}
