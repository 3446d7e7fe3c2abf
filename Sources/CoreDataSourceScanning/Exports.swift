@_exported import CoreDataFoundation
