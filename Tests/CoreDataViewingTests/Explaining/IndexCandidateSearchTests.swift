import CoreData
import StoreContract
import Testing

@testable import CoreDataViewing
@testable import CoreDataWorkbench

@Suite struct IndexCandidatesTests {
    private func candidates(_ text: String?, sort: String? = nil) throws -> [String] {
        let model = HeroModel.make()
        let hero = try #require(model.entitiesByName["Hero"])
        let byName = NSFetchIndexElementDescription(
            property: try #require(hero.propertiesByName["name"]), collationType: .binary)
        hero.indexes = [NSFetchIndexDescription(name: "byName", elements: [byName])]
        let query = try ObjectQuery(hero, where: text, sort: sort)
        return IndexCandidateSearch.all(for: query).map { candidate in
            let elements = candidate.elements.map { $0.property + ($0.isAscending ? "" : "-") }
            return "\(candidate.entity).\(candidate.name)(\(elements.joined(separator: ",")))"
        }
    }

    @Test func nothingIsAskedNothingIsThoughtOf() throws {
        #expect(try candidates(nil) == [])
        #expect(try candidates("title CONTAINS 'x' AND TRUEPREDICATE".replacing("title", with: "name")) == [])
    }

    @Test func equalAttributesComeBeforeRangesAndOrder() throws {
        let found = try candidates("strength > 3 AND name == 'x'", sort: "-birthDate")
        #expect(found.contains("Hero.byNameAndStrength(name,strength)"))
        #expect(found.contains("Hero.byNameAndBirthDate(name,birthDate-)"))
        #expect(found.contains("Hero.byBirthDate(birthDate-)"))
        #expect(!found.contains { $0.contains("(strength,name)") })
    }

    @Test func nameThatTheEntityHasGetsANumber() throws {
        #expect(try candidates("name == 'x'") == ["Hero.byName2(name)"])
    }

    @Test func attributesBehindRelationshipsAreTheirOwnEntitys() throws {
        #expect(try candidates("nemesis.strength == 3") == ["Hero.byStrength(strength)"])
        #expect(try candidates("ANY powers.level > 3") == ["Power.byLevel(level)"])
        #expect(try candidates("SUBQUERY(powers, $p, $p.level > 3).@count > 1").contains("Power.byLevel(level)"))
    }

    @Test func orderThatLeavesTheEntityIsNoOrderOfItsIndexes() throws {
        #expect(try candidates(nil, sort: "name,nemesis.name") == [])
    }

    @Test func modelLinesAreWellFormed() throws {
        let candidate = IndexCandidate(
            entity: "E", name: "by\"<&>", elements: [.init(property: "a", isAscending: false)])
        #expect(
            candidate.modelLines == [
                "<fetchIndex name=\"by&quot;&lt;&amp;&gt;\">",
                "    <fetchIndexElement property=\"a\" type=\"Binary\" order=\"descending\"/>", "</fetchIndex>",
            ])
    }
}
