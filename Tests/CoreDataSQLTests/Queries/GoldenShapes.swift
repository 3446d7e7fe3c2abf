import CoreDataFoundation
import CoreDataSQL

/// Predicates on people of every shape that translates; what each becomes stands in `Golden/Predicates.txt`.
@MainActor
enum GoldenShapes {
    typealias Shape = (format: String, arguments: [Any?])

    static func all(_ world: QueryWorld) throws -> [Shape] {
        comparisons + texts + lists + paths + quantifiers + collections + calculations + (try records(world))
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 12.5)
    private static let token = UUID(uuidString: "00000000-0000-0000-0000-000000000004")

    private static func plain(_ formats: [String]) -> [Shape] { formats.map { ($0, []) } }

    private static let comparisons: [Shape] =
        plain([
            "name == 'abc'", "name != 'abc'", "name == nil", "name != nil", "NOT name == 'abc'", "NOT name < 'b'",
            "name == nick", "name != nick", "name < nick", "name == 5", "'b' > name", "name BETWEEN {'a', 'c'}",
            "small < 4.5", "small == 4.5", "small == 4.0", "small > 100", "small >= 1 AND small < 4",
            "small == 1 AND medium > 2", "small == flag", "flag == YES", "flag != NO", "NOT flag == TRUE",
            "ratio > 0.1", "ratio == nil", "price == 0.1", "price > 10.10 + 0.005", "price < small",
            "extra == nil", "film != nil", "born == seen", "small BETWEEN {1, 5}", "NOT small BETWEEN {1, 5}",
            "small BETWEEN {medium, large}", "3 BETWEEN {small, medium}", "home.city == 'abc'",
            "home.number > 3 OR home.city == nil", "boss.home.number < 5", "TRUEPREDICATE AND name == 'a'",
            "FALSEPREDICATE", "NOT FALSEPREDICATE", "1 == 1",
            "small == 1 OR small == 2 AND NOT (name == nil OR flag == NO)",
            "(small == 1 OR small == 2) AND (medium == 3 OR medium == 4)", "NOT (small == 1 AND medium == 2)",
        ]) + [
            ("price < %@", [Decimal(string: "0.300000000000001")]), ("large < %@", [UInt64.max]),
            ("born >= %@", [date]), ("born BETWEEN %@", [[Date.distantPast, date]]), ("token == %@", [token]),
            ("token < %@", [token]), ("link == %@", [URL(string: "https://example.org/")]),
            ("photo == %@", [Data([65])]), ("photo < %@", [Data([65, 0])]), ("ratio < %@", [Double.infinity]),
            ("ratio != %@", [Double.nan]),
        ]

    private static let texts: [Shape] = plain([
        "name ==[c] 'x'", "name ==[cd] 'Ä'", "name !=[c] 'ABC'", "name <[cd] 'b'", "name ==[cd] nick",
        "name BEGINSWITH 'ab'", "name BEGINSWITH ''", "name BEGINSWITH[c] 'ab'", "name BEGINSWITH[cd] 'ä'",
        "name BEGINSWITH nick", "name ENDSWITH 'ab'", "name ENDSWITH[cd] 'SALES'", "name CONTAINS '100%'",
        "name CONTAINS[cd] 'É'", "name CONTAINS nick", "name LIKE 'a*'", "name LIKE[c] '?b*'", "name LIKE nick",
        "name MATCHES[c] 'S[ao]les'", "name MATCHES 'a.*'", "link BEGINSWITH 'https'", "link CONTAINS[c] 'ORG'",
        "NOT name BEGINSWITH 'a'", "name IN 'xabcx'", "'b' IN name", "'B' IN[c] name", "name.length == 3",
        "uppercase(name) == 'A'", "lowercase(name) == lowercase(nick)", "canonical(name) == 'arger'",
        "length(name) > 3", "home.city BEGINSWITH 'S'", "department.name BEGINSWITH 'S'",
    ])

    private static let lists: [Shape] =
        plain([
            "name IN {'a', 'b'}", "name IN {'a', nil}", "NOT name IN {'a', nil}", "name IN {}", "name IN[cd] {'ARGER'}",
            "name IN {'a', nick}", "small IN {1, 2.0, 4.5, 'x'}", "price IN {0.1, 5}", "{1, 2} CONTAINS small",
            "3 IN {small, medium}", "ANY {1, 2, 3} == small", "ALL {1, 2, 3} > small", "{small, medium}[0] == 5",
            "sum({small, medium}) > 5", "max(small, medium, large) == 5", "average({small, medium}) > 2",
            "count({small, medium, large}) == 3", "median({small, medium, large}) == 2",
        ]) + [
            ("name IN %@", [["x": "abc", "y": "abc"]]), ("small IN %@", [Array(0..<501)]),
            ("NOT name IN %@", [(0..<501).map { "text \($0)" }]), ("ratio IN %@", [(0..<501).map { Double($0) + 0.5 }]),
            ("token IN %@", [(0..<501).map { _ in token }]),
        ]

    private static let paths: [Shape] = plain([
        "department == nil", "department != nil", "department.name == 'Sales'", "department.name != 'Sales'",
        "NOT department.name == 'Sales'", "department.name == nil", "department.budget >= 500",
        "department.name == 'Sales' AND department.company.city != 'x'", "department.company == nil",
        "boss.department == department", "boss == boss.boss", "boss.boss == SELF", "boss != SELF", "boss == department",
        "boss.department.company.name > department.company.name", "department.name IN {'a', nil}",
        "boss.objectID == department.objectID", "entity == boss.entity", "entity.name == 'Manager'",
        "entity.name != 'Manager'", "boss.entity.name BEGINSWITH 'M'", "boss.entity.name == nil",
        "entity.name IN {'Person', 'Employee'}", "boss.name ==[c] name", "self.boss.self.name == name",
    ])

    private static let quantifiers: [Shape] = plain([
        "ANY reports.small > 5", "ALL reports.small > 5", "NONE reports.small > 5", "NOT ALL reports.small > 0",
        "ANY reports.name == nil", "ANY reports.name BEGINSWITH 'a'", "ANY reports.department == department",
        "ANY reports == boss", "ANY reports.extra == nil", "ANY skills.name == 'a'", "ALL skills.rank < 3",
        "ANY friends.small > 0", "ANY notes.text == 'a'", "ANY boss.reports.department.name == name",
        "ANY reports.small BETWEEN {1, 3}", "ANY reports.name IN {'abc', nil}", "ANY reports.skills.rank == 2",
        "ALL reports.skills.rank < 3", "NONE reports.reports.name == 'a'", "ANY department.people.skills.rank == 3",
        "ANY department.company.departments.people.small == 5", "ANY reports.department.people.name == nil",
        "ANY reports.home.city == 'abc'",
    ])

    private static let collections: [Shape] = plain([
        "skills.@count == 0", "department.people.@count > 3", "reports.@sum.small > 3", "reports.@avg.ratio > 1",
        "reports.@sum.price == 0.3", "reports.@max.born > born", "reports.@min.name < 'b'",
        "department.company.departments.people.@count > 30", "reports.skills.@count > 2",
        "reports.skills.@max.rank == 3", "reports.reports.@sum.small > 5", "count(reports.name) < reports.@count",
        "sum(reports.ratio) > 1", "median(reports.small) == 2", "stddev(reports.ratio) > 1", "reports[SIZE] > 1",
        "boss IN boss.boss.reports", "'abc' IN reports.name", "nil IN reports.name", "department.people CONTAINS SELF",
        "'a' IN reports.@distinctUnionOfObjects.name", "nil IN reports.@unionOfObjects.name",
        "ANY distinct(reports.name) == 'a'", "max(reports.@distinctUnionOfObjects.small) > 3",
        "SELF IN (boss.reports INTERSECT friends)", "boss IN (reports UNION friends)",
        "ANY (reports MINUS friends) == boss", "SUBQUERY(reports, $r, $r.small > 0).@count > 1",
        "SUBQUERY(reports, $r, $r.department == department).@count > 0",
        "SUBQUERY(skills, $s, $s.rank > 0 AND $s.name != nil).@count == 1",
        "SUBQUERY(reports, $r, SUBQUERY($r.skills, $s, $s.rank == $r.small).@count > 0).@count > 0",
        "SUBQUERY(SUBQUERY(reports, $r, $r.small > 0), $q, $q.medium > 0).@count > 0",
        "SUBQUERY(reports, $r, $r.small > small).@max.medium > 2",
        "ANY SUBQUERY(reports, $r, $r.small > 0).name == 'abc'",
    ])

    private static let calculations: [Shape] =
        plain([
            "small + 1 == 6", "small + medium * 2 > (large - 1) * 3", "small - (medium - 1) == 0",
            "medium / small == 2",
            "large / 0 == nil", "small %% 2 == 1", "ratio * 2 > 1", "ratio - ratio == nil", "price * 1.1 > 5",
            "price + ratio == 0.2", "price + 0.2 == 0.3", "price + price == price", "price + 1 IN {1.1, 1.2, nil}",
            "sqrt(medium) == 2", "floor(ratio) == 0", "floor(price + 0.9) == 1", "abs(small) == 1", "-small == 5",
            "(small ** 2) == 4", "(small & 4) == 4", "(small | 1) == small", "(small ^ 1) == 4", "(small << 2) > 10",
            "~small == -6", "noindex(small) == 5", "FUNCTION(small, 'add:to:', 1) == 6",
            "TERNARY(flag == YES, small, medium) == 5", "TERNARY(name == nil, 'none', name) == 'none'",
            "born + 3600 > seen", "born - seen > 60", "born - 0.5 == seen", "small + nil == nil",
            "CAST(small, 'NSString') == '5'", "CAST(born, 'NSNumber') > 0", "CAST(name, 'NSNumber') == 100",
            "CAST(token, 'NSString') ENDSWITH '4'", "CAST(CAST(born, 'NSNumber') + 60, 'NSDate') > seen",
            "CAST(price, 'NSString') == '0.1'",
        ]) + [("born + 60 > %@", [date]), ("ratio + %@ == 0.2", [0.1])]

    private static func records(_ world: QueryWorld) throws -> [Shape] {
        let person = try world.identifier("Person", 7)
        let departments = try [1, 2].map { try world.identifier("Department", $0) }
        let temporary = try world.identifier("Person", 2, isTemporary: true)
        return [
            ("SELF == %@", [person]), ("SELF != %@", [person]), ("SELF == %@", [try world.identifier("Skill", 7)]),
            ("SELF == %@", [temporary]), ("objectID == %@", [person]), ("SELF.objectID IN %@", [[person, temporary]]),
            ("SELF IN %@", [try (1...600).map { try world.identifier("Person", $0) }]),
            ("NOT SELF IN %@", [[person]]), ("department == %@", [departments[0]]),
            ("department != %@", [departments[0]]), ("department IN %@", [departments]),
            ("department IN %@", [[departments[0], nil]]), ("boss.department == %@", [departments[0]]),
            ("ANY skills == %@", [try world.identifier("Skill", 7)]),
            ("%@ IN skills", [try world.identifier("Skill", 7)]), ("ANY reports IN %@", [[person]]),
            ("%@ IN friends", [person]), ("SELF IN (reports UNION %@)", [[person]]),
            ("entity == %@", [world.model.entitiesByName["Employee"]]), ("%@ IN reports.name", ["abc"]),
        ]
    }
}
