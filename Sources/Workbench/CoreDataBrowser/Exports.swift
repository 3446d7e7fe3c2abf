@_exported import CoreDataMigrationPlanning
@_exported import CoreDataRepair
@_exported import CoreDataTracing
@_exported import CoreDataViewing
