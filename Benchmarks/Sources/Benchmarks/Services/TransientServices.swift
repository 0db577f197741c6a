import Elsewhere
import Measuring

@MainActor let transientServiceBenchmarks = [
  Benchmark("service.transient") { name, effort in
    try SharedServices.prepare()
    return try effort.compare(
      name, goal: .ratio(2), checksum: { SmallParcel.weight * $0 }, ours: lookUpTransient, baseline: makeParcels)
  },
  // The service is registered at run time, so its closure can be removed.
  Benchmark("service.transient.registered") { name, effort in
    try SharedServices.prepare()
    return try effort.compare(
      name, goal: .ratio(2), checksum: { SmallParcel.weight * $0 }, ours: lookUpRegistered, baseline: makeParcels)
  },
]
