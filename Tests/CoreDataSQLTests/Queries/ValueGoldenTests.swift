import CoreDataSQL
import Foundation
import Testing

@testable import CoreDataGraph

/// What requests for dictionaries become.
@MainActor
@Suite("Values as SQL")
struct ValueGoldenTests {
    private var world: QueryWorld { DifferentialTests.world }

    private func sql(
        _ entity: String, _ properties: [Any], by keys: [Any]? = nil, _ change: (UntypedFetchRequest) -> Void = { _ in }
    )
        throws -> CompiledQuery
    {
        let request = UntypedFetchRequest()
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.propertiesToGroupBy = keys
        change(request)
        let layout = try #require(world.layout.layout(named: entity))
        let binding = EntityBinding(layout: layout, store: world.store, storeNumber: 1)
        let query = try ValueRequest(request: request, layout: layout).query(binding)
        return try world.compiler.values(query).query
    }

    private func column(_ name: String, _ format: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        return description
    }

    @Test("only what is asked for is read, paths by joins, objects by key and entity (FET-15)")
    func plainValues() throws {
        #expect(try sql("Person", ["name", "small"]).sql == "SELECT t0.ZNAME, t0.ZSMALL FROM ZPERSON t0")
        #expect(
            try sql("Manager", ["department.name", "department", "home.city"]).sql
                == "SELECT t1.ZNAME, t0.ZDEPARTMENT, 2, t0.ZCITY FROM ZPERSON t0"
                + " LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT WHERE t0.Z_ENT = 6")
        #expect(
            try sql("Department", ["name", column("n", "people.@count")]).sql
                == "SELECT t0.ZNAME, (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZDEPARTMENT = t0.Z_PK) FROM ZDEPARTMENT t0"
        )
    }

    @Test("distinct rows in pages are in a certain order (FET-15)")
    func distinctPages() throws {
        let compiled = try sql("Person", ["name", "small"]) {
            $0.returnsDistinctResults = true
            $0.sortDescriptors = [NSSortDescriptor(key: "small", ascending: false)]
            $0.predicate = NSPredicate(format: "flag == YES")
            ($0.fetchLimit, $0.fetchOffset) = (3, 1)
        }
        #expect(
            compiled.sql
                == "SELECT DISTINCT t0.ZNAME, t0.ZSMALL FROM ZPERSON t0 WHERE t0.ZFLAG = ?"
                + " ORDER BY t0.ZSMALL DESC, t0.ZNAME LIMIT ? OFFSET ?")
        #expect(compiled.parameters == [.integer(1), .integer(3), .integer(1)])
    }

    @Test("what the database has itself is left to it, the rest is a function (FET-17)")
    func whatDatabaseHasItselfIsLeft() throws {
        #expect(
            try sql("Person", [column("a", "max(ratio)"), column("b", "count(name)"), column("c", "count(SELF)")]).sql
                == "SELECT MAX(t0.ZRATIO), COUNT(t0.ZNAME), COUNT(1) FROM ZPERSON t0")
        #expect(
            try sql("Person", [column("a", "sum(small)")]).sql
                == "SELECT coredata_whole_sum(SUM(t0.ZSMALL >> 32), SUM(t0.ZSMALL & 4294967295)) FROM ZPERSON t0")
        #expect(
            try sql("Person", [column("a", "average(born)"), column("b", "median(price) + 1")]).sql
                == "SELECT coredata_group_average(t0.ZBORN, 3), coredata_decimal_add(coredata_group_median(t0.ZPRICE, 1), ?)"
                + " FROM ZPERSON t0")
    }

    @Test("groups, their condition and their order (FET-19)")
    func groupsTheirConditionAndTheirOrder() throws {
        let compiled = try sql("Person", ["department.name", column("n", "count(SELF)")], by: ["department.name"]) {
            $0.havingPredicate = NSPredicate(format: "n > 3 AND max(small) < 9")
            $0.sortDescriptors = [NSSortDescriptor(key: "n", ascending: false)]
            $0.fetchLimit = 5
        }
        #expect(
            compiled.sql
                == "SELECT t1.ZNAME, COUNT(1) FROM ZPERSON t0 LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT"
                + " GROUP BY t1.ZNAME HAVING COUNT(1) > ? AND MAX(t0.ZSMALL) < ?"
                + " ORDER BY COUNT(1) DESC, t1.ZNAME LIMIT ? OFFSET ?")
        #expect(compiled.parameters == [.integer(3), .integer(9), .integer(5), .integer(0)])
    }

    @Test("groups by days have no parameter, so that the database computes the day of a row once (FET-19)")
    func groupsByDays() throws {
        let day = column("day", "dayOfDate(born)")
        let compiled = try sql("Person", [day, column("n", "count(SELF)")], by: [day]) { $0.fetchLimit = 5 }
        let number =
            "CASE WHEN t0.ZBORN < '' THEN CAST(t0.ZBORN AS INTEGER) / 86400"
            + " - (CAST(t0.ZBORN AS INTEGER) / 86400 * 86400 > t0.ZBORN) END"
        #expect(
            compiled.sql
                == "SELECT \(number), COUNT(1) FROM ZPERSON t0 GROUP BY \(number) ORDER BY \(number) LIMIT ? OFFSET ?"
        )
        #expect(compiled.parameters == [.integer(5), .integer(0)])
    }

    @Test("what has no SQL is refused (FET-15)")
    func whatHasNoSQLIsRefused() throws {
        #expect(throws: QueryError.self) { try sql("Person", [column("x", "max(film)")]) }
        #expect(throws: QueryError.self) { try sql("Person", [column("x", "friends[0]")]) }
    }
}
