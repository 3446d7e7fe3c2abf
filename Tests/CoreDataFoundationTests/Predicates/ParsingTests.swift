import CoreDataFoundation
import Testing

struct ParsingTests {
    @Test(
        "every comparison sign (PRD-01, PRD-08)",
        arguments: [
            ("=", "equalTo"), ("==", "equalTo"), ("!=", "notEqualTo"), ("<>", "notEqualTo"), ("<", "lessThan"),
            ("<=", "lessThanOrEqualTo"), ("=<", "lessThanOrEqualTo"), (">", "greaterThan"),
            (">=", "greaterThanOrEqualTo"),
            ("=>", "greaterThanOrEqualTo"),
        ])
    func signIsItsOperator(sign: String, name: String) throws {
        let expected = "direct.\(name).0(path(,age),constant<Int:5>)"
        #expect(outline(try NSPredicate(parsing: "age \(sign) 5")) == expected)
        #expect(outline(try NSPredicate(parsing: "age\(sign)5")) == expected)
    }

    @Test(
        "word operators in any letter case with options (PRD-14, PRD-17, PRD-18)",
        arguments: [
            ("CONTAINS", "contains", 0), ("contains[cd]", "contains", 3), ("BeginsWith[c]", "beginsWith", 1),
            ("ENDSWITH [d]", "endsWith", 2), ("like[n]", "like", 4), ("MATCHES[cdl]", "matches", 11),
            ("==[c]", "equalTo", 1),
            ("!=[CD]", "notEqualTo", 3), ("in[c]", "in", 1),
        ])
    func wordIsItsOperator(word: String, name: String, options: Int) throws {
        let predicate = try NSPredicate(parsing: "name \(word) 'x'")
        #expect(outline(predicate) == "direct.\(name).\(options)(path(,name),constant<String:x>)")
    }

    @Test(
        "literals (PRD-06, PRD-01)",
        arguments: [
            ("'it''s'", ""), ("\"a\\\"b\"", "String:a\"b"), ("'a\\'b'", "String:a'b"), ("'\\u00e9\\n'", "String:é\n"),
            ("''", "String:"), ("0x1F", "Int:31"), ("0b101", "Int:5"), ("0o17", "Int:15"), ("1.5", "Double:1.5"),
            (".5", "Double:0.5"), ("1e3", "Double:1000.0"), ("2.5E-1", "Double:0.25"), ("-7", "Int:-7"),
            ("--7", "Int:7"),
            ("9223372036854775807", "Int:9223372036854775807"), ("-9223372036854775808", "Int:-9223372036854775808"),
            ("18446744073709551615", "UInt64:18446744073709551615"),
            ("123456789012345678901234567890", "Decimal:123456789012345678901234567890"), ("YES", "Bool:true"),
            ("true", "Bool:true"), ("No", "Bool:false"), ("FALSE", "Bool:false"), ("nil", "nil"), ("NULL", "nil"),
        ])
    func literalIsItsValue(text: String, expected: String) throws {
        guard text != "'it''s'" else {
            #expect(throws: PredicateParseError.self) { try NSExpression(parsing: text) }
            return
        }
        #expect(outline(try NSExpression(parsing: text)) == "constant<\(expected)>")
    }

    @Test(
        "AND binds tighter than OR, NOT tighter than AND, chains are one compound (PRD-19)",
        arguments: [
            ("a=1 AND b=2 OR c=3", "or(and(A,B),C)"), ("a=1 OR b=2 AND c=3", "or(A,and(B,C))"),
            ("a=1 && b=2 && c=3", "and(A,B,C)"), ("a=1 || b=2 or c=3", "or(A,B,C)"),
            ("NOT a=1 AND b=2", "and(not(A),B)"),
            ("!a=1 AND !(b=2)", "and(not(A),not(B))"), ("NOT (a=1 AND b=2)", "not(and(A,B))"),
            ("not not a=1", "not(not(A))"),
            ("(a=1)", "A"), ("(((a=1)) AND ((b=2)))", "and(A,B)"), ("(a=1 AND b=2) AND c=3", "and(and(A,B),C)"),
            ("TRUEPREDICATE AND falsepredicate", "and(true,false)"), ("(a)=(1)", "A"),
            ("((a))=1 AND b=((2))", "and(A,B)"),
        ])
    func precedenceIsApples(text: String, expected: String) throws {
        var found = outline(try NSPredicate(parsing: text))
        for (name, value) in [("a", 1), ("b", 2), ("c", 3)] {
            let comparison = "direct.equalTo.0(path(,\(name)),constant<Int:\(value)>)"
            found = found.replacingOccurrences(of: comparison, with: name.uppercased())
        }
        #expect(found == expected)
    }

    @Test(
        "arithmetic by precedence, to the left, power to the right (PRD-11, PRD-27)",
        arguments: [
            ("1 + 2 * 3", "add(1,multiply(2,3))"), ("1 - 2 - 3", "subtract(subtract(1,2),3)"),
            ("(1 + 2) * 3", "multiply(add(1,2),3)"), ("2 ** 3 ** 2", "power(2,power(3,2))"),
            ("a & 4 | 1", "bitwiseOr(bitwiseAnd(a,4),1)"), ("-a", "subtract(0,a)"), ("a - -1", "subtract(a,-1)"),
            ("1 << 2 + 1", "leftShift(1,add(2,1))"), ("~a ^ 3", "bitwiseXor(onesComplement(a),3)"),
            ("7 %% 4", "modulus(7,4)"), ("{1, a + 1}", "[1,add(a,1)]"), ("{}", "[]"), ("a UNION b", "union(a,b)"),
            ("sum(a)", "sum(a)"), ("add:to:(1, 2)", "add(1,2)"), ("canonical:(a)", "canonical(a)"), ("now()", "now()"),
            ("TERNARY(a == 1, 2, 3)", "if(direct.equalTo.0(a,1),2,3)"),
            ("SUBQUERY(b, $x, $x.a > 1).@count", "path(subquery(b,x,direct.greaterThan.0(path($x,a),1)),@count)"),
        ])
    func arithmeticIsATree(text: String, expected: String) throws {
        let found = outline(try NSExpression(parsing: text))
            .replacing(/constant<Int:(-?\d+)>/) { $0.output.1 }.replacing(/path\(,(\w+)\)/) { $0.output.1 }
        #expect(found == expected)
    }

    @Test(
        "key paths, variables, SELF and escaped names (PRD-13, PRD-18, PRD-22, PRD-23)",
        arguments: [
            ("department.name", "path(,department.name)"), ("SELF", "self"), ("self.name", "path(,name)"),
            ("employees.@count", "path(,employees.@count)"), ("a.@avg.salary", "path(,a.@avg.salary)"),
            ("$FETCH_SOURCE.sex.x", "path($FETCH_SOURCE,sex.x)"), ("$x", "$x"), ("#in", "path(,in)"),
            ("#and.or", "path(,and.or)"), ("a.#between", "path(,a.between)"), ("first", "path(,first)"),
            ("größe", "path(,größe)"),
            ("@count", "path(,@count)"), ("#\"odd key\"", "path(,odd key)"), ("ANYKEY", "anykey"),
        ])
    func pathIsItsForm(text: String, expected: String) throws {
        #expect(outline(try NSExpression(parsing: text)) == expected)
    }

    @Test("quantifiers are modifiers, NONE is NOT ANY (PRD-13)")
    func quantifiersAreModifiers() throws {
        let any = "any.greaterThan.0(path(,employees.salary),constant<Int:5>)"
        #expect(outline(try NSPredicate(parsing: "ANY employees.salary > 5")) == any)
        #expect(outline(try NSPredicate(parsing: "some employees.salary > 5")) == any)
        #expect(outline(try NSPredicate(parsing: "NONE employees.salary > 5")) == "not(\(any))")
        let all = any.replacingOccurrences(of: "any.", with: "all.")
        #expect(outline(try NSPredicate(parsing: "ALL employees.salary > 5")) == all)
    }

    @Test("arguments of every kind keep their values (PRD-02)")
    func argumentsKeepTheirValues() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let predicate = NSPredicate(
            format: "a == %@ AND b == %@ AND c == %d AND d == %ld AND e == %f AND f == %@ AND g == %u AND h == %lld",
            "O'Brien \"x\"", date, 7, 8, 1.5, nil, UInt(3), Int64(9))
        let text = outline(predicate)
        for expected in [
            "String:O'Brien \"x\"", "Date:\(date)", "Int:7", "Int:8", "Double:1.5", "path(,f),constant<nil>", "UInt:3",
            "Int64:9",
        ] { #expect(text.contains(expected)) }
    }

    @Test("%K is a key or key path and can go on (PRD-03)")
    func keyArgumentIsAKeyPath() throws {
        #expect(
            outline(NSPredicate(format: "%K == %d", "deceased", 0)) == outline(NSPredicate(format: "deceased == 0")))
        #expect(outline(NSPredicate(format: "%K.name == 1", "a.b")) == outline(NSPredicate(format: "a.b.name == 1")))
        #expect(outline(NSPredicate(format: "ANY %K == 1", "in")).contains("path(,in)"))
        let like = NSPredicate(format: "%K LIKE %@", "name", "*.txt")
        #expect(like.evaluate(with: ["name": "a.txt"]))
        #expect(!like.evaluate(with: ["name": "a.doc"]))
    }

    @Test("a token inside quotes is literal, takes no argument and gives a warning (PRD-04)")
    func quotedTokenIsLiteral() throws {
        let (predicate, warnings) = try PredicateParser.predicateAndWarnings(
            from: "name CONTAINS '%@' AND a == %@", arguments: [5])
        #expect(outline(predicate).contains("String:%@"))
        #expect(outline(predicate).contains("Int:5"))
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("character 15") == true)
        #expect(try PredicateParser.predicateAndWarnings(from: "a == '50% of K'", arguments: []).warnings.isEmpty)
    }

    @Test("a list argument is one value, whatever its element type (PRD-02)")
    func listIsOneArgument() {
        let optionals: [Any?] = ["a", nil]
        let anys: [Any] = ["a", 1]
        for predicate in [
            NSPredicate(format: "name IN %@", optionals), NSPredicate(format: "name IN %@", ["a", "b"]),
            NSPredicate(format: "name IN %@", anys), NSPredicate(format: "name IN %@", Set(["a"])),
            NSPredicate(format: "name IN %@", argumentArray: [["a"]]),
            NSPredicate(format: "name IN %@", NSSet(object: "a")),
        ] {
            #expect(predicate.evaluate(with: ["name": "a"]))
            #expect(!predicate.evaluate(with: ["name": "z"]))
        }
        #expect(NSPredicate(format: "name IN %@", optionals).evaluate(with: [String: String]()))
    }

    @Test func expressionsAndPredicatesAreArgumentsToo() throws {
        let inner = NSPredicate(format: "a == 1")
        #expect(outline(NSPredicate(format: "%@ AND b == 2", inner)).hasPrefix("and(direct.equalTo.0(path(,a)"))
        let path = NSExpression(forKeyPath: "x.y")
        #expect(outline(NSPredicate(format: "%@ == 2", path)) == outline(NSPredicate(format: "x.y == 2")))
    }

    @Test func parsedPredicatesAreApplesClasses() throws {
        let comparison = try #require(NSPredicate(format: "name ==[c] 'x'") as? NSComparisonPredicate)
        #expect(comparison.leftExpression.keyPath == "name")
        #expect(comparison.rightExpression.constantValue as? String == "x")
        #expect(comparison.predicateOperatorType == .equalTo)
        #expect(comparison.options == .caseInsensitive)
        let compound = try #require(NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.count == 2)
        let typed = try NSComparisonPredicate(parsing: "a == 1")
        #expect(typed.leftExpression.expressionType == .keyPath)
        #expect(throws: PredicateParseError.self) { try NSCompoundPredicate(parsing: "a == 1") }
    }
}
