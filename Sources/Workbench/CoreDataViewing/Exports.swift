@_exported import CoreDataKinds
@_exported import CoreDataWorkbench
