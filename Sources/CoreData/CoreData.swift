@_exported import CoreDataGraph
@_exported import CoreDataSQLite
