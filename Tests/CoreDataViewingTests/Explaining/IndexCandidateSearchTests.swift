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

    @Test("elements of composite attributes, also behind relationships, make indexes over their columns (STO-19)")
    func elementsOfCompositesHaveIndexes() throws {
        let builder = ModelBuilder()
        builder.entity("Shop", ["name": .stringAttributeType])
        builder.entity("Town", ["name": .stringAttributeType])
        builder.relationships("Shop.town", "Town.shops*")
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [attribute("x", .doubleAttributeType), attribute("y", .doubleAttributeType)]
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.elements = [attribute("city", .stringAttributeType), place]
        builder["Shop"].properties.append(address)
        let (shop, town) = (builder["Shop"], builder["Town"])
        func found(_ entity: NSEntityDescription, _ text: String?, sort: String? = nil) throws -> [String] {
            let query = try ObjectQuery(entity, where: text, sort: sort)
            return IndexCandidateSearch.all(for: query).map { candidate in
                let elements = candidate.elements.map { $0.property + ($0.isAscending ? "" : "-") }
                return "\(candidate.entity).\(candidate.name)(\(elements.joined(separator: ",")))"
            }
        }
        #expect(try found(shop, "address.city == 'x'") == ["Shop.byAddressCity(address.city)"])
        #expect(try found(shop, "self.address.place.x > 3") == ["Shop.byAddressPlaceX(address.place.x)"])
        let sorted = try found(shop, "name == 'a'", sort: "-address.city")
        #expect(sorted.contains("Shop.byNameAndAddressCity(name,address.city-)"), "\(sorted)")
        #expect(try found(town, "ANY shops.address.city == 'x'") == ["Shop.byAddressCity(address.city)"])
        #expect(try found(shop, "address == nil AND address.place != nil") == [])
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
