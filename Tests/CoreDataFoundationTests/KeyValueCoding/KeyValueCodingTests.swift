import CoreDataFoundation
import Testing

struct KeyValueCodingTests {
    private let team = Sample([
        "name": "A", "none": nil,
        "members": [
            Sample(["pay": 10, "name": "x", "tags": ["p", "q"]]), Sample(["pay": 30, "name": "y", "tags": ["q"]]),
            Sample(["pay": nil, "name": "x", "tags": [String]()]),
        ],
    ])

    @Test(
        "key paths and collection operators (KVC-04, PRD-27)",
        arguments: [
            ("name", "A"), ("self.name", "A"), ("members.@count", "3"), ("members.@sum.pay", "40"),
            ("members.@avg.pay", "20.0"),
            ("members.@min.pay", "10"), ("members.@max.pay", "30"), ("members.@max.name", "y"),
            ("members.name", "[\"x\", \"y\", \"x\"]"),
            ("members.@unionOfObjects.name", "[\"x\", \"y\", \"x\"]"),
            ("members.@distinctUnionOfObjects.name", "[\"x\", \"y\"]"),
            ("members.@distinctUnionOfArrays.tags", "[\"p\", \"q\"]"), ("members.pay.@sum.self", "40"),
            ("members.pay.@max", "30"),
            ("name.length", "1"), ("members.@sum.name.length", "3"),
            ("members.@distinctUnionOfObjects.name.@count", nil),
        ] as [(String, String?)])
    func keyPathsHaveValues(path: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: ExpressionError.self) { _ = try team.codedValue(forKeyPath: path) }
            return
        }
        #expect(try team.codedValue(forKeyPath: path).map { "\($0)" } == expected)
    }

    @Test("nil on the way is nil, in a list NSNull (KVC-04)")
    func nilOnTheWayIsNil() throws {
        #expect(try team.codedValue(forKeyPath: "none.a.b.c") == nil)
        #expect(team.value(forKey: "none") == nil)
        let pays = try #require(try team.codedValue(forKeyPath: "members.pay") as? [Any])
        #expect(pays[0] as? Int == 10 && pays[2] is NSNull)
    }

    @Test("operators on lists, sets and Foundation's collections (KVC-04)")
    func operatorsWorkOnFoundationCollections() throws {
        for list in [NSArray(array: [1, 2]), NSSet(array: [1, 2]), NSOrderedSet(array: [1, 2])] {
            #expect(try KeyPathReader.value(at: "list.@sum.self", of: ["list": list]) as? Int == 3)
            #expect(try KeyPathReader.value(at: "@count", of: list) as? Int == 2)
        }
        #expect(try KeyPathReader.value(at: "@max.self", of: Set([1, 2])) as? Int == 2)
    }

    @Test(
        "a wrong step names itself (KVC-02, KVC-04, HAZ-54)",
        arguments: [
            ("nme", "Sample", "name"), ("members.nam", "Sample", "name"), ("name.foo", "String", nil),
        ] as [(String, String, String?)])
    func wrongStepNamesItself(path: String, owner: String, suggestion: String?) throws {
        let error = try #require(throws: UnknownKeyError.self) { _ = try team.codedValue(forKeyPath: path) }
        #expect(error.owner == owner)
        #expect(error.key == path.split(separator: ".").last.map(String.init))
        #expect(error.suggestion == suggestion)
    }

    @Test func unknownOperatorIsAnErrorWithASuggestion() {
        #expect(throws: ExpressionError.unknownFunction("@cont", suggestion: "@count")) {
            _ = try team.codedValue(forKeyPath: "members.@cont")
        }
        #expect(throws: ExpressionError.self) { _ = try team.codedValue(forKeyPath: "name.@count") }
    }

    @Test("values are set by key and key path (KVC-01, KVC-04)")
    func valuesAreSet() throws {
        let boss = Sample(["name": "B"])
        let team = Sample(["boss": boss, "empty": nil])
        team.setValue("C", forKeyPath: "boss.name")
        #expect(boss.value(forKey: "name") as? String == "C")
        try team.setCodedValue("ignored", forKeyPath: "empty.name")
        team.setValue(nil, forKey: "boss")
        #expect(team.value(forKey: "boss") == nil)
        #expect(throws: UnknownKeyError.self) { try team.setCodedValue(1, forKey: "bos") }
        team.setValue(5, forKey: "empty")
        #expect(throws: UnknownKeyError.self) { try team.setCodedValue(1, forKeyPath: "empty.name") }
    }

    @Test("several keys at once, NSNull for nil (KVC-20)")
    func severalKeys() {
        let sample = Sample(["a": 1, "b": nil])
        let values = sample.dictionaryWithValues(forKeys: ["a", "b"])
        #expect(values["a"] as? Int == 1 && values["b"] is NSNull)
        sample.setValuesForKeys(["a": NSNull(), "b": 2])
        #expect(sample.value(forKey: "a") == nil && sample.value(forKey: "b") as? Int == 2)
    }

    @Test func unknownKeysStopInTheNonThrowingForms() async {
        await #expect(processExitsWith: .failure) { _ = Sample(["a": 1]).value(forKey: "b") }
        await #expect(processExitsWith: .failure) { Sample(["a": 1]).setValue(1, forKey: "b") }
    }

    @Test(
        "the closest name (KVC-02)",
        arguments: [
            ("timestamp", ["timeStamp", "time"], "timeStamp"), ("naem", ["name", "names"], "name"), ("x", ["abc"], nil),
            ("department", ["departments", "apartment"], "departments"), ("", ["a"], nil), ("name", ["name"], nil),
            ("lastNmae", ["firstName", "lastName"], "lastName"), ("qqqq", ["name", "age"], nil),
        ] as [(String, [String], String?)])
    func closestNames(name: String, names: [String], expected: String?) {
        #expect(closestName(to: name, in: names) == expected)
    }

    @Test(
        "at most three names are suggested, the nearest first, none much farther than the nearest (KVC-02)",
        arguments: [
            ("nam", ["age", "name", "nose"], "did you mean 'name'?"),
            ("name", ["game", "fame", "lame", "same"], "did you mean 'fame', 'game' or 'lame'?"),
            ("dame", ["Game", "name"], "did you mean 'Game' or 'name'?"),
            ("department", ["departments", "departmental", "apartments", "compartment"], "did you mean 'departments'"),
            ("department", ["departmentals", "departments"], "did you mean 'departments'?"),
            ("titel", ["title", "title", "titel"], "did you mean 'title'?"),
            (String(repeating: "a", count: 101), [String(repeating: "a", count: 100)], nil), ("qqqq", ["name"], nil),
        ] as [(String, [String], String?)])
    func suggestionNamesThree(name: String, names: [String], expected: String?) {
        let question = NameSuggestion(for: name, in: names)?.question
        #expect(expected.map { question?.hasPrefix($0) == true } ?? (question == nil), "\(question ?? "none")")
        #expect((NameSuggestion(for: name, in: names)?.names.count ?? 0) <= 3)
    }

    @Test("an unknown key names up to three that come near (KVC-02)")
    func unknownKeyNamesThree() {
        let error = UnknownKeyError(key: "nam", owner: "Hero", knownKeys: ["name", "age", "nap", "nom"])
        #expect(error.suggestion == "name")
        #expect(error.description.hasSuffix("; did you mean \"name\", \"nap\" or \"nom\"?"), "\(error)")
    }

    @Test("dictionaries answer key paths, and mutable ones take values by key") func dictionariesAnswerKeyPaths() {
        let inner = NSMutableDictionary()
        inner.setValue(3, forKey: "b")
        let outer: NSDictionary = ["a": inner]
        #expect(outer.value(forKeyPath: "a.b") as? Int == 3)
        inner.setValue(nil, forKey: "b")
        #expect(inner.count == 0 && outer.value(forKeyPath: "a.b") == nil)
    }
}
