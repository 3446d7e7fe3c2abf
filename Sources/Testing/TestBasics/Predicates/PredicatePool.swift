import Foundation

/// Predicates on the entity of persons. Tests evaluate each in SQL, in memory and on every kind of store; the results
/// must be equal.
@MainActor
package enum PredicatePool {
    /// Formats with their arguments.
    package static let formats: [(String, [Any?])] = comparisons + texts + lists + paths + quantifiers + calculations

    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    private static let token = UUID(uuidString: "00000000-0000-0000-0000-000000000004") ?? UUID()

    static let comparisons: [(String, [Any?])] = [
        ("name == %@", ["abc"]), ("name != %@", ["abc"]), ("name == nil", []), ("name != nil", []),
        ("NOT name == %@", ["abc"]), ("NOT name != %@", ["abc"]), ("name < %@", ["b"]), ("name >= %@", ["b"]),
        ("NOT name < %@", ["b"]), ("'b' > name", []), ("name == nick", []), ("name != nick", []), ("name < nick", []),
        ("NOT name < nick", []), ("name == %@", [5]), ("name != %@", [5]), ("name < %@", [5]), ("small == %@", ["5"]),
        ("small != %@", ["5"]), ("small == 5", []), ("small != 5", []), ("5 < small", []), ("small <= 5", []),
        ("small == 5.0", []), ("small < 4.5", []), ("small >= 4.5", []), ("small == 4.5", []), ("NOT small == 4.5", []),
        ("large == %@", [Int64.max]), ("large < %@", [Int64.max]), ("large <= %@", [Int64.min]),
        ("large > %@", [UInt64.max]),
        ("large < %@", [UInt64.max]), ("large == 9007199254740992.0", []), ("large == %@", [9_007_199_254_740_992.0]),
        ("large > %@", [9_007_199_254_740_992.0]), ("large < %@", [Decimal(string: "1152921504606847076.5")]),
        ("large < %@", [Decimal(string: "9007199254740993.5")]), ("large > %@", [Decimal(string: "-1e30")]),
        ("large == ratio", []), ("large < ratio", []), ("small == large", []), ("small == flag", []),
        ("flag == YES", []),
        ("flag == NO", []), ("flag != NO", []), ("flag == 1", []), ("flag == nil", []), ("NOT flag == TRUE", []),
        ("ratio == 0.1", []), ("ratio == %@", [0.1]), ("ratio != 0.1", []), ("ratio > 0.1", []), ("ratio >= 0.3", []),
        ("ratio == 0.30000000000000004", []), ("ratio > 0.30000000000000003", []), ("ratio < %@", [Double.infinity]),
        ("ratio == %@", [Double.infinity]), ("ratio < %@", [Double.nan]), ("ratio == %@", [Double.nan]),
        ("ratio != %@", [Double.nan]), ("ratio > %@", [Decimal(string: "1e120")]), ("single == 0.1", []),
        ("single == %@", [Double(Float(0.1))]), ("price == 0.1", []), ("price == %@", [0.1]), ("price < 10.11", []),
        ("price <= 10.11", []), ("price > %@", [Decimal(string: "0.300000000000001")]),
        ("price >= %@", [Decimal(string: "0.299999999999999")]),
        ("price == %@", [Decimal(string: "0.300000000000001")]),
        ("price == ratio", []), ("price < small", []), ("born == %@", [date]), ("born != %@", [date]),
        ("born < %@", [date]),
        ("born >= %@", [date]), ("born == seen", []), ("born > seen", []), ("born == 0", []), ("born < 5", []),
        ("born == nil", []), ("photo == %@", [Data([65])]), ("photo != %@", [Data()]), ("photo < %@", [Data([65, 0])]),
        ("photo == nil", []), ("token == %@", [token]), ("token < %@", [token]), ("token != %@", ["x"]),
        ("token == %@", [Data(repeating: 0, count: 16)]), ("link == %@", [URL(string: "https://example.org/3%C3%A4")]),
        ("link == %@", ["https://example.org/3%C3%A4"]), ("link < %@", [URL(string: "https://example.org/3")]),
        ("extra == nil", []), ("extra != nil", []), ("film == nil", []), ("name == born", []), ("name != small", []),
        ("NOT (name == born)", []), ("small BETWEEN {1, 5}", []), ("NOT small BETWEEN {1, 5}", []),
        ("ratio BETWEEN %@", [[0.1, 1.5]]), ("born BETWEEN %@", [[Date.distantPast, date]]),
        ("3 BETWEEN {small, medium}", []),
        ("small BETWEEN {medium, large}", []), ("name BETWEEN {'a', nil}", []), ("TRUEPREDICATE", []),
        ("FALSEPREDICATE", []), ("NOT FALSEPREDICATE", []), ("1 == 1", []), ("nil == nil", []), ("'a' < nil", []),
    ]

    static let texts: [(String, [Any?])] = {
        var result: [(String, [Any?])] = []
        for operation in ["==", "!=", "<", "<=", ">", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN"] {
            for options in ["", "[c]", "[d]", "[cd]", "[n]"] where !operation.contains("IN ") {
                for text in ["arger", "Ärg", "STRASSE", "a", "", "é", "Sales"] {
                    result.append(("name \(operation)\(options) %@", [text]))
                }
            }
        }
        for text in Awkward.texts {
            for operation in ["==", "BEGINSWITH", "ENDSWITH", "CONTAINS"] {
                result.append(("name \(operation) %@", [text]))
                result.append(("NOT name \(operation) %@", [text]))
            }
            result.append(("name BEGINSWITH[cd] %@ OR nick ==[c] %@", [text, text]))
            result.append(("name IN %@ || nick CONTAINS[d] %@", [[text, "a"], text]))
        }
        let patterns = [
            "*", "?", "", "a*", "*c", "a?c", "*a*", "S?les", "* Sales", "a\\*b", "a\\?b", "?\u{301}", "Ä*", "*%*",
            "*\\*",
            "[ab]*", "100%", "a_b", "👨*", "nul?byte", "\\",
        ]
        for pattern in patterns {
            for options in ["", "[c]", "[d]", "[cd]"] { result.append(("name LIKE\(options) %@", [pattern])) }
        }
        for pattern in ["S[ao]les", "a.*", ".*", "", "\\w+", "[A-Z]+", "(?i)abc", "a|abc", "é"] {
            for options in ["", "[c]", "[cd]"] { result.append(("name MATCHES\(options) %@", [pattern])) }
        }
        return result + [
            ("name BEGINSWITH nick", []), ("name CONTAINS[cd] nick", []), ("name ENDSWITH[c] nick", []),
            ("name LIKE nick", []),
            ("'abc' BEGINSWITH name", []), ("'abcd' CONTAINS name", []), ("name ==[cd] nick", []),
            ("name <[c] nick", []),
            ("name IN 'xabcx'", []), ("'b' IN name", []), ("'B' IN[c] name", []), ("small IN 'abc'", []),
            ("name IN nick", []),
            ("name BEGINSWITH nil", []), ("link CONTAINS 'example'", []), ("link ENDSWITH '%C3%A4'", []),
            ("link LIKE[c] '*ORG/3*'", []), ("link ==[c] %@", [URL(string: "https://EXAMPLE.org/3%C3%A4")]),
            ("link <[c] %@", [URL(string: "https://EXAMPLE.org/3")]), ("name.length == 3", []),
            ("name.length > nick.length", []),
            ("uppercase(name) == 'ABC'", []), ("lowercase(name) == lowercase(nick)", []),
            ("canonical(name) == 'arger'", []),
            ("length(name) > 3", []),
        ]
    }()

    static let lists: [(String, [Any?])] = [
        ("name IN %@", [["abc", "Ärger", "nul\u{0}byte"]]), ("name IN %@", [[String]()]), ("NOT name IN %@", [["abc"]]),
        ("name IN %@", [["abc", nil] as [String?]]), ("NOT name IN %@", [["abc", nil] as [String?]]),
        ("name IN %@", [["abc", NSNull(), 5] as [Any]]), ("name IN[cd] %@", [["ARGER", "é"]]),
        ("name IN %@", [Set(["a", "b"])]),
        ("name IN %@", [["x": "abc", "abc": "y"]]), ("name IN {'a', 'A', nick}", []),
        ("small IN {1, 2.0, 4.5, 'x'}", []),
        ("small IN %@", [[1, 2, Int64.max]]), ("ratio IN {0.1, 5, 0.25}", []), ("price IN {0.1, 5, 10.11}", []),
        ("born IN %@", [[date, Date(timeIntervalSinceReferenceDate: 0)]]), ("token IN %@", [[token, UUID()]]),
        ("photo IN %@", [[Data([65]), Data()]]), ("link IN %@", [[URL(string: "https://example.org/3%C3%A4")]]),
        ("name IN %@", [(0..<700).map { "text \($0)" } + Awkward.texts]),
        ("name IN %@", [(0..<700).map { "\($0)" } + ["a\"b", "tab\tquote\"", "abc", "back\\slash", "line\nbreak"]]),
        ("NOT name IN %@", [(0..<700).map { "text \($0)" } + Awkward.texts]),
        ("small IN %@", [Array(-300...300)]), ("large IN %@", [Array(0...600).map { Int64($0) } + [.max, .min]]),
        ("ratio IN %@", [(0...600).map { Double($0) / 10 } + [.infinity, 1e300, 0.30000000000000004]]),
        ("price IN %@", [(0...600).map { Decimal($0) / 10 }]),
        ("born IN %@", [(0...600).map { Date(timeIntervalSinceReferenceDate: Double($0) / 10) } + [date]]),
        (
            "token IN %@",
            [(0...600).map { UUID(uuidString: "00000000-0000-0000-0000-0000000000\(10 + $0 % 90)") } + [token]]
        ),
        ("photo IN %@", [(0...600).map { Data([UInt8($0 % 256)]) }]), ("{1, 2} CONTAINS small", []),
        ("%@ CONTAINS name", [["abc"]]),
        ("ANY {1, 2, 3} == small", []), ("ALL {1, 2, 3} > small", []), ("3 IN {small, medium}", []),
    ]

    static let paths: [(String, [Any?])] = [
        ("department == nil", []), ("department != nil", []), ("department.name == 'Sales'", []),
        ("department.name != 'Sales'", []), ("NOT department.name == 'Sales'", []), ("department.name == nil", []),
        ("department.company.name == 'Company 1'", []), ("department.company.city BEGINSWITH[cd] 'a'", []),
        ("department.company == nil", []), ("department.company.name != department.name", []),
        ("boss.department == department", []), ("boss.boss == SELF", []), ("boss == boss.boss", []),
        ("boss != SELF", []),
        ("boss.department.company.name > department.company.name", []), ("boss.name ==[c] name", []),
        ("SELF == SELF", []), ("self.boss.self.name == name", []), ("boss == department", []),
        ("boss != department", []),
        ("department.budget < 500 AND department.budget >= 100", []), ("NOT department.budget < 500", []),
        ("department.budget + 1 > small * 100", []), ("boss.objectID == department.objectID", []),
        ("department.name IN {'a', nil}", []), ("entity == boss.entity", []),
    ]

    static let quantifiers: [(String, [Any?])] = [
        ("ANY reports.name == 'abc'", []), ("ANY reports.name == nil", []), ("ANY reports.small > 5", []),
        ("SOME reports.small < 0", []), ("ALL reports.small > 0", []), ("NONE reports.small > 5", []),
        ("NOT ANY reports.small > 5", []), ("NOT ALL reports.small > 0", []),
        ("ANY reports.name BEGINSWITH[c] 'a'", []),
        ("ANY reports.department.name == department.name", []), ("ANY reports.department == department", []),
        ("ANY reports == boss", []), ("ANY reports IN {nil}", []), ("ANY boss.reports.name == name", []),
        ("ALL boss.reports.small >= small", []), ("NONE boss.reports.flag == YES", []), ("ANY skills.name == nil", []),
        ("ANY skills.rank == 2", []), ("ALL skills.rank < 3", []), ("NONE skills.name CONTAINS 'a'", []),
        ("ANY boss.skills.rank == 3", []), ("ANY department.people.small == small", []), ("ANY friends.small > 0", []),
        ("ALL friends.name != nil", []), ("ANY friends.department == department", []), ("friends.@count == 2", []),
        ("ANY notes.text == 'abc'", []), ("ALL notes.text != 'abc'", []), ("notes.@count > 0", []),
        ("skills.@count == 0", []),
        ("NOT skills.@count > 1", []), ("department.people.@count > 30", []), ("department.people.@count == nil", []),
        ("reports.@count > department.people.@count", []), ("skills.@max.rank == 3", []),
        ("skills.@min.rank == nil", []),
        ("skills.@sum.rank > 3", []), ("department.people.@sum.small > 10", []), ("reports.@sum.small == 0", []),
        ("reports.@max.born > born", []), ("reports.@min.name < 'b'", []), ("skills.@avg.rank >= 1.5", []),
        ("max(skills.rank) == 3", []), ("count(skills) == 2", []), ("sum(skills.rank) == 0", []),
        ("count(reports.name) < reports.@count", []), ("SUBQUERY(reports, $r, $r.small > 0).@count > 1", []),
        ("SUBQUERY(skills, $s, $s.rank > 0 AND $s.name != nil).@count == 1", []),
        ("SUBQUERY(reports, $r, $r.department == department).@count > 0", []),
        ("SUBQUERY(reports, $r, ANY $r.skills.rank == 3).@count > 0", []),
        ("SUBQUERY(reports, $r, SUBQUERY($r.skills, $s, $s.rank == $r.small).@count > 0).@count > 0", []),
        ("boss IN boss.boss.reports", []), ("reports CONTAINS boss.boss", []), ("'abc' IN reports.name", []),
        ("nil IN reports.name", []), ("department.people CONTAINS SELF", []), ("ANY reports.small BETWEEN {1, 3}", []),
        ("ANY reports.name IN {'abc', 'a', nil}", []), ("ANY reports.price == 0.1", []),
    ]

    static let calculations: [(String, [Any?])] = [
        ("small + 1 == 6", []), ("small - medium > 0", []), ("small * medium == 10", []), ("medium / small == 2", []),
        ("large / 0 == nil", []), ("large + 1 > 0", []), ("large * 2 < 0", []), ("large - 1 == %@", [Int64.max]),
        ("(small & 4) == 4", []), ("(small | 1) == small", []), ("(small ^ 1) == 4", []), ("(small << 2) > 10", []),
        ("(large >> 1) == 0", []), ("(small << -1) == 2", []), ("(large >> 70) == -1", []), ("~small == -6", []),
        ("small %% 2 == 1", []), ("small %% 0 == nil", []), ("large %% -1 == 0", []), ("ratio * 2 > 1", []),
        ("ratio + 0.1 == 0.2", []), ("ratio + %@ == 0.2", [0.1]), ("price + 0.2 == 0.3", []), ("price * 3 == 0.3", []),
        ("price - 0.1 == price", []), ("price / 3 > 1", []), ("price * ratio > 0", []), ("price + price == 0.2", []),
        ("sqrt(medium) == 2", []), ("floor(ratio) == 0", []), ("ceiling(price) == 11", []), ("trunc(price) == 10", []),
        ("abs(small) == 1", []), ("abs(large) > 5", []), ("(small ** 2) == 4", []), ("exp(small) < 1", []),
        ("-small == 5", []), ("dayOfDate(born) < dayOfDate(seen)", []), ("dayOfDate(born + 60) != small", []),
        ("1 + 2 * 3 == 7", []), ("small + medium * 2 - large > 3", []), ("(small + medium) * 2 == 10", []),
        ("small - (medium - 1) == 0", []), ("TERNARY(flag == YES, small, medium) == 5", []),
        ("TERNARY(name == nil, 'none', name) == 'none'", []), ("TERNARY(small > 0, small, nil) != nil", []),
        ("(large & 255) == 255", []), ("(small & medium & 5) == 4", []), ("((small | medium) & 5) == 5", []),
        ("noindex(small) == 5", []), ("small == 2 + 3", []), ("price > 10.10 + 0.005", []), ("small + nil == nil", []),
        ("born < now()", []), ("average({1, 2, 3}) == small", []), ("max({1, 5}) == small", []),
        ("{4, 5}[LAST] == small", []), ("{5, 4}[0] == small", []), ("CAST('5', 'NSNumber') == small", []),
        ("distinct({5, 5, 1})[SIZE] + 3 == small", []), ("FUNCTION(small, 'add:to:', 1) == 6", []),
    ]
}
