import CoreData
import TestBasics
import Testing

@Suite(
    "Transient relationships of a store made by Apple's framework",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct TransientRelationshipTests {
    @Test("every property of every object is read, transient to-one relationships as nil (REL-01)")
    func everyPropertyIsRead() throws {
        let url = try Fixtures.copyOfStore("stores/plaso-testdata/test_data/ios/DataUsage.sqlite")
        let model = try #require(try StoreFile.cachedModel(at: url))
        let transient = model.entities.flatMap { entity in
            entity.relationshipsByName.values.filter { $0.isTransient && !$0.isToMany }.map {
                "\(entity.name ?? "").\($0.name)"
            }
        }
        #expect(transient.sorted() == ["LiveUsage.hintedBy", "Process.hintLiveUsage"])
        let open = try OpenStore(url, model: model)
        let (processes, usages) = (try open.fetch("Process"), try open.fetch("LiveUsage"))
        #expect(processes.count == 371 && usages.count == 887)
        for object in processes + usages {
            for key in object.entity.propertiesByName.keys { _ = object.value(forKey: key) }
        }
        #expect(processes.allSatisfy { $0.value(forKey: "hintLiveUsage") == nil })
        processes[0].setValue(usages[0], forKey: "hintLiveUsage")
        #expect(usages[0].value(forKey: "hintedBy") as? NSManagedObject === processes[0])
        try open.context.save()
        #expect(open.reports.isEmpty)
    }
}
