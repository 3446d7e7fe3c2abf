@_exported import CoreDataInspection
