import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

@Suite("Questions of the fetch console")
struct SummaryTests {
    @Test("groups are counted and summed by each kind of store as by hand (BRW-45)", arguments: StoreKind.all)
    func groupsAreCountedAndSummedByEachKindOfStoreAsByHand(_ kind: StoreKind) throws {
        let scene = try SummaryScene(kind)
        let summary = try scene.ask("sex", "count", "sum:strength", "average:weight", "min:price", "max:birthDate")
        #expect(
            summary.columns.map(\.name) == [
                "sex", "count", "sum_strength", "average_weight", "min_price", "max_birthDate",
            ])
        #expect(summary.columns.map(\.type) == ["string", "integer64", "integer64", "double", "decimal", "date"])
        #expect(summary.isComplete && summary.texts.map { $0[0] } == ["Female", "Male", "nil"])
        for row in summary.texts {
            let heroes = scene.heroes.filter { ($0.sex ?? "nil") == row[0] }
            #expect(row[1] == "\(heroes.count)" && row[2] == "\(heroes.compactMap(\.strength).reduce(0, +))")
            let average = heroes.map(\.weight).reduce(0, +) / Double(heroes.count)
            #expect(abs((Double(row[3]) ?? 0) - average) < 1e-9)
            #expect(row[4] == "\(heroes.map(\.price).min() ?? 0)")
            #expect(row[5] == heroes.compactMap(\.born).max().map(ISODate.text))
        }
    }

    @Test(
        "parts of dates are groups, and what is calculated of them is put together (BRW-45)", arguments: StoreKind.all)
    func partsOfDates(_ kind: StoreKind) throws {
        let scene = try SummaryScene(kind)
        for unit in CalendarUnit.allCases {
            let length = unit == .day ? 10 : unit == .month ? 7 : 4
            let summary = try scene.ask(
                "birthDate@\(unit.rawValue)", "count", "sum:weight", "average:weight", "average:price",
                "average:birthDate", "min:strength",
                "distinct:sex")
            let known = Dictionary(grouping: scene.heroes) { hero in
                hero.born.map { String(ISODate.text($0).prefix(length)) } ?? "nil"
            }
            #expect(summary.texts.map { $0[0] } == ["nil"] + known.keys.filter { $0 != "nil" }.sorted())
            for row in summary.texts {
                let heroes = known[row[0]] ?? []
                let weight = heroes.map(\.weight).reduce(0, +)
                #expect(row[1] == "\(heroes.count)")
                #expect(abs((Double(row[2]) ?? -1) - weight) < 1e-9)
                #expect(abs((Double(row[3]) ?? -1) - weight / Double(heroes.count)) < 1e-9)
                let price = heroes.map(\.price).reduce(0, +) / Decimal(heroes.count)
                #expect(
                    abs((Decimal(string: row[4]) ?? 0) - price) < Decimal(sign: .plus, exponent: -9, significand: 1))
                let mean =
                    heroes.compactMap(\.born).map(\.timeIntervalSinceReferenceDate).reduce(0, +)
                    / Double(max(1, heroes.compactMap(\.born).count))
                let date = ISODate.date(row[5])?.timeIntervalSinceReferenceDate
                #expect(row[0] == "nil" ? date == nil : abs((date ?? 0) - mean) < 0.01)
                #expect(row[6] == heroes.compactMap(\.strength).min().map { "\($0)" } ?? "nil")
                #expect(row[7] == "\(Set(heroes.compactMap(\.sex)).count)")
            }
        }
    }

    @Test("days, months and years of dates from 1 to 9999 are the calendar's (BRW-45)", arguments: StoreKind.all)
    func datesOfAllYears(_ kind: StoreKind) throws {
        let stack = try Stack(DayModel.make(), kind: kind)
        let years = -63_113_904_000.0..<252_423_993_600
        let times = DayModel.times(seed: TestSeed.first).compactMap(\.self).filter(years.contains)
        try DayModel.fill(stack.context, times)
        let entity = try #require(stack.model.entitiesByName["Event"])
        for (unit, length) in [("day", 10), ("month", 7), ("year", 4)] {
            let names = times.map {
                String(CalendarSeconds.text(Date(timeIntervalSinceReferenceDate: $0)).prefix(length))
            }
            let request = try SummaryRequest(
                entity, in: stack.store, where: nil, group: "date@\(unit)", aggregates: [], having: nil, sort: nil,
                limit: 100_000, kind: .table)
            let found = try stack.context.summary(of: request, in: stack.store).texts
            #expect(found.map { $0[0] } == Set(names).sorted())
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(found.allSatisfy { counts[$0[0]] == Int($0[1]) }, "CORE_DATA_SEED=\(TestSeed.first)")
        }
    }

    @Test("without groups there is one row, also of no objects (BRW-45)", arguments: StoreKind.all)
    func oneRow(_ kind: StoreKind) throws {
        let scene = try SummaryScene(kind)
        #expect(try scene.ask().texts == [["60"]])
        #expect(try scene.ask("", "distinct:sex", "count").texts == [["2", "60"]])
        #expect(
            try scene.ask("", "count", "sum:strength", "average:weight", where: "name == 'nobody'").texts == [
                ["0", "0", "nil"]
            ])
        #expect(try scene.ask("", "distinct:sex", "average:weight", where: "name == 'nobody'").texts == [["0", "nil"]])
        #expect(try scene.ask("sex", where: "name == 'nobody'").texts.isEmpty)
    }

    @Test("conditions, orders and limits are of the result's columns (BRW-45)", arguments: StoreKind.all)
    func conditionsAndOrders(_ kind: StoreKind) throws {
        let scene = try SummaryScene(kind)
        let few = try scene.ask("strength", "count", having: "count > 7 AND strength != nil", sort: "-strength")
        #expect(
            few.texts.allSatisfy { (Int($0[1]) ?? 0) > 7 }
                && few.texts.map { $0[0] } == few.texts.map { $0[0] }.sorted().reversed())
        let first = try scene.ask("strength", "count", sort: "strength", limit: 2)
        #expect(!first.isComplete && first.texts.map { $0[0] } == ["nil", "0"])
        let months = try scene.ask(
            "birthDate@year", "sum:weight", having: "sum_weight > 100", sort: "-sum:weight", limit: 1)
        let all = try scene.ask("birthDate@year", "sum:weight")
        let greatest = all.texts.max { (Double($0[1]) ?? 0) < (Double($1[1]) ?? 0) }
        #expect(months.texts == [greatest].compactMap(\.self))
        let paths = try scene.ask("hero.sex,name", "count", of: "Power", having: "hero.sex == 'Male'", sort: "name")
        #expect(paths.texts.allSatisfy { $0[0] == "Male" })
        let objects = try scene.ask("hero", "distinct:name", of: "Power")
        #expect(objects.rows.count == 6 && objects.texts[0][0].hasPrefix("x-coredata://"))
    }

    private static let mistakes: [(String, String, String?, String?, String)] = [
        ("nome", "count", nil, nil, "did you mean 'name'?"), ("powers", "count", nil, nil, "make groups"),
        ("picture", "distinct:nome", nil, nil, "nome"), ("name@month", "count", nil, nil, "only dates"),
        ("birthDate@week", "count", nil, nil, "@day, @month, @year"), ("sex", "sum:name", nil, nil, "needs a number"),
        ("sex", "medium:strength", nil, nil, "sum:KEY"), ("sex", "sum", nil, nil, "it needs an attribute"),
        ("sex", "count:name", nil, nil, "counts objects"), ("sex", "count,count", nil, nil, "asked for twice"),
        ("sex", "count", "count >", nil, "at character"),
        ("sex", "count", "secretIdentity == 'x'", nil, "not a column of the result"),
        ("sex", "count", "max(secretIdentity) > 'A'", nil, "not a column of the result"),
        ("", "count", "count > 1", nil, "the query has none"),
        ("sex", "count", "SUBQUERY(powers, $p, $p.name == 'x').@count > 0", nil, "not a column"),
        ("sex", "count", nil, "weight", "no such column"),
        ("sex", "average:picture", nil, nil, "needs a number or a date"),
    ]

    @Test("a mistake is reported with what would be right (BRW-45)", arguments: mistakes)
    func mistakeIsReportedWithWhatWouldBeRight(
        _ group: String, _ aggregate: String, _ having: String?, _ sort: String?, _ told: String
    ) throws {
        let scene = try SummaryScene(.inMemory)
        let error = #expect(throws: InspectionError.self) {
            try scene.ask(group, aggregate, having: having, sort: sort)
        }
        #expect(error?.description.contains(told) == true, "\(error?.description ?? "")")
    }
}
