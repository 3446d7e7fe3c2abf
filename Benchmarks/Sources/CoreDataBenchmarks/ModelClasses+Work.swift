import CRawBaseline
import CoreData
import SwiftData

/// What is measured, with models and with managed objects.
extension ModelClasses {
    /// How many items belong to one parent.
    private static let family = 10

    static func insertModels(_ context: ModelContext, _ count: Int) throws -> Int64 {
        var parent = ModelParent(number: 1)
        for row in 0..<Int64(count) {
            if row % Int64(family) == 0 {
                parent = ModelParent(number: row + 1)
                context.insert(parent)
            }
            let item = ModelItem(row: row)
            context.insert(item)
            item.parent = parent
        }
        try context.save()
        return Int64(count)
    }

    static func insertRecords(_ context: NSManagedObjectContext, _ count: Int) throws -> Int64 {
        var parent: RecordParent?
        for row in 0..<Int64(count) {
            if row % Int64(family) == 0 {
                let made = RecordParent(context: context)
                made.number = row + 1
                parent = made
            }
            let item = RecordItem(context: context)
            item.a0 = (row * 31) % 1_000_003
            item.a1 = (row * 31 + 7) % 1_000_003
            item.a2 = (row * 31 + 14) % 1_000_003
            item.a3 = (row * 31 + 21) % 1_000_003
            item.a4 = (row * 31 + 28) % 1_000_003
            item.a5 = (row * 31 + 35) % 1_000_003
            item.a6 = (row * 31 + 42) % 1_000_003
            item.a7 = (row * 31 + 49) % 1_000_003
            item.a8 = (row * 31 + 56) % 1_000_003
            item.a9 = (row * 31 + 63) % 1_000_003
            item.parent = parent
        }
        try context.save()
        return Int64(count)
    }

    static func models(_ context: ModelContext) throws -> [ModelItem] {
        try context.fetch(FetchDescriptor<ModelItem>())
    }

    static func records(_ context: NSManagedObjectContext) throws -> [RecordItem] {
        let request = NSFetchRequest<RecordItem>(entityName: "ModelItem")
        return try context.fetch(request)
    }

    static func fetchModels(_ context: ModelContext, _ count: Int) throws -> Int64 {
        var sum: Int64 = 0
        for item in try models(context) {
            sum &+= item.a0 &+ item.a1 &+ item.a2 &+ item.a3 &+ item.a4
            sum &+= item.a5 &+ item.a6 &+ item.a7 &+ item.a8 &+ item.a9
        }
        return sum
    }

    static func fetchRecords(_ context: NSManagedObjectContext, _ count: Int) throws -> Int64 {
        var sum: Int64 = 0
        for item in try records(context) {
            sum &+= item.a0 &+ item.a1 &+ item.a2 &+ item.a3 &+ item.a4
            sum &+= item.a5 &+ item.a6 &+ item.a7 &+ item.a8 &+ item.a9
        }
        return sum
    }

    static func updateModels(_ context: ModelContext, _ count: Int) throws -> Int64 {
        let all = try models(context)
        for (index, item) in all.enumerated() { item.a0 = Int64(index) * 17 }
        try context.save()
        return Int64(all.count)
    }

    static func updateRecords(_ context: NSManagedObjectContext, _ count: Int) throws -> Int64 {
        let all = try records(context)
        for (index, item) in all.enumerated() { item.a0 = Int64(index) * 17 }
        try context.save()
        return Int64(all.count)
    }

    static func deleteModels(_ context: ModelContext, _ count: Int) throws -> Int64 {
        let all = try models(context)
        for item in all { context.delete(item) }
        try context.save()
        return Int64(all.count)
    }

    static func deleteRecords(_ context: NSManagedObjectContext, _ count: Int) throws -> Int64 {
        let all = try records(context)
        for item in all { context.delete(item) }
        try context.save()
        return Int64(all.count)
    }

    static func followModels(_ context: ModelContext, _ count: Int) throws -> Int64 {
        let parents = try context.fetch(FetchDescriptor<ModelParent>())
        return try withExtendedLifetime(parents) {
            try models(context).reduce(0) { $0 &+ ($1.parent?.number ?? 0) }
        }
    }

    static func followRecords(_ context: NSManagedObjectContext, _ count: Int) throws -> Int64 {
        let parents = try context.fetch(NSFetchRequest<RecordParent>(entityName: "ModelParent"))
        return try withExtendedLifetime(parents) {
            try records(context).reduce(0) { $0 &+ ($1.parent?.number ?? 0) }
        }
    }

    // MARK: One property

    /// Reading one property of one model over and over, in nanoseconds.
    static func readingRow(_ count: Int, _ session: Session) throws -> Row {
        let url = session.workbench.place("Read")
        defer { Workbench.removeStore(at: url) }
        let seconds = try withModels(url) { context in
            _ = try insertModels(context, 10)
            guard let item = try models(context).first else { throw Failure("there is no model to read") }
            _ = item.a3
            return Measurement.median(
                of: (0..<session.runs).map { _ in
                    let start = raw_now()
                    var sum: Int64 = 0
                    for _ in 0..<count { sum &+= item.a3 }
                    withExtendedLifetime(sum) {}
                    return raw_now() - start
                })
        }.sum
        return Row(
            name: "SDP  models: read one property, ns", value: seconds / Double(count) * 1e9, bar: 3)
    }
}
